import Domain
import Engine
import Foundation
import Jobs
import Measurement
import Platform

/// Measures a job on Apache Spark: plans it, submits the plan, and makes the outcome of what it wrote.
package struct SparkEngine: Sendable {
  private let submission: SparkSubmission
  /// Where tasks write: a folder that every machine of the cluster sees under this path, or an address.
  private let exchange: String
  /// Where plans lie while they are worked on, if not there.
  private let plans: URL
  private let sizes: SparkSizes?
  private let threads: Int
  private let read: JobReading

  package init(
    _ submission: SparkSubmission, exchange: String, plans: URL, sizes: SparkSizes?, threads: Int,
    reading read: @escaping JobReading
  ) {
    self.submission = submission
    self.exchange = exchange
    self.plans = plans
    self.sizes = sizes
    self.threads = threads
    self.read = read
  }

  /// Measures a job as `NativeEngine.measure` does.
  ///
  /// - Throws: as that, and as `SparkSubmission.submit`; the plan's folder then stands, for whoever looks into it.
  package func measure(_ run: ExchangedRun) async throws -> NativeEngine.Outcome {
    var (outcome, changed) = try await InputWatch.settled { watch in
      var run = run
      run.context = run.context.watched(by: watch)
      return try await measureOnce(run)
    }
    outcome.warnings += InputWatch.warnings(of: changed)
    return outcome
  }

  private func measureOnce(_ run: ExchangedRun) async throws -> NativeEngine.Outcome {
    var timings = Timings()
    let isElsewhere = exchange.contains("://")
    let own = isElsewhere ? plans : URL(fileURLWithPath: exchange)
    try clear(own, of: run)
    let name = prefix(of: run) + String(UInt64.random(in: .min ... .max), radix: 36)
    let folder = own.appendingPathComponent(name).path
    let plan = try timings.time("plan") {
      try PlanFolder(
        making: run, in: folder, work: isElsewhere ? "\(exchange)/\(name)" : nil, sizes: sizes, isPrinted: isElsewhere)
    }
    let stages = PlanScript.stages(of: plan.manifest, hasIdentities: run.hasIdentities)
    try await timings.time("spark") {
      try await Interruption.during { [submission] in
        do { try await submission.submit(plan, stages: stages) } catch  where Task.isCancelled {
          try Folder.remove(folder)
          throw error
        }
      }
    }
    if isElsewhere { try plan.readPrinted() }
    let outcome = try SparkResult(of: plan).outcome(of: try plan.run(reading: read), threads: threads, timings: timings)
    try Folder.remove(folder)
    return outcome
  }

  /// What the names of a job's plans begin with: jobs of one name whose results go elsewhere have others.
  private func prefix(of run: ExchangedRun) -> String {
    "\(run.job.name)-\(FileDigest.sha256(plans.path).prefix(4).hexadecimal)-"
  }

  /// Removes what runs of this job that died, or failed and were looked into, have left; whoever calls holds its lock.
  private func clear(_ folder: URL, of run: ExchangedRun) throws {
    for name in try Folder.names(in: folder.path) where name.hasPrefix(prefix(of: run)) {
      try Folder.remove(folder.appendingPathComponent(name).path)
    }
  }
}

extension PlanFolder {
  /// The cut-off that was planned.
  package var cutoff: Instant { Instant(milliseconds: manifest.cutoff) }

  /// The outcome of a plan that somebody has submitted.
  ///
  /// - Throws: `OfferliftError`, as where one process measures the job; 65 where what Spark wrote is not whole, 64 where
  ///   something else was planned.
  package func outcome(
    asOf cutoff: Instant, looksBack: Bool, threads: Int, reading read: JobReading
  ) throws -> NativeEngine.Outcome {
    guard cutoff == self.cutoff, looksBack == manifest.looksBack else {
      throw OfferliftError(.usage, "\(url.path) is a plan of another night.")
    }
    return try SparkResult(of: self).outcome(of: run(reading: read), threads: threads, timings: Timings())
  }
}
