import Domain
import Engine
import Foundation
import Jobs
import Platform

/// Measures a job on Apache Spark: plans it, submits the plan, and makes the outcome of what it wrote.
package struct SparkEngine: Sendable {
  private let submission: SparkSubmission
  /// Where plans lie while they are worked on: every machine of the cluster must see it under this path.
  private let exchange: URL
  private let sizes: SparkSizes?
  private let threads: Int
  private let read: JobReading

  package init(
    _ submission: SparkSubmission, exchange: URL, sizes: SparkSizes?, threads: Int, reading read: @escaping JobReading
  ) {
    self.submission = submission
    self.exchange = exchange
    self.sizes = sizes
    self.threads = threads
    self.read = read
  }

  /// Measures a job as `NativeEngine.measure` does.
  ///
  /// - Throws: as that, and as `SparkSubmission.submit`; the plan's folder then stands, for whoever looks into it.
  package func measure(_ run: ExchangedRun) async throws -> NativeEngine.Outcome {
    var timings = Timings()
    let folder = exchange.appendingPathComponent(Self.name(of: run)).path
    let plan = try timings.time("plan") { try PlanFolder(making: run, in: folder, work: nil, sizes: sizes) }
    try await timings.time("spark") {
      try await submission.submit(plan, stages: PlanScript.stages(of: plan.manifest, hasIdentities: run.hasIdentities))
    }
    let outcome = try SparkResult(of: plan).outcome(of: try plan.run(reading: read), threads: threads, timings: timings)
    try Folder.remove(folder)
    return outcome
  }

  /// A name that no other run has.
  private static func name(of run: ExchangedRun) -> String {
    "\(run.job.name)-\(run.cutoff.milliseconds)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }
}

extension PlanFolder {
  /// The outcome of a plan that somebody has submitted.
  ///
  /// - Throws: `OfferliftError`, as where one process measures the job; 65 where what Spark wrote is not whole.
  package func outcome(reading read: JobReading, threads: Int) throws -> NativeEngine.Outcome {
    try SparkResult(of: self).outcome(of: run(reading: read), threads: threads, timings: Timings())
  }
}
