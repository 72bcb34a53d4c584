import Analysis
import Domain
import Engine
import Foundation
import Jobs
import Publishing
import Spark

/// A night of a job to be measured by Spark, whoever submits it.
package struct PlanRun {
  private let job: Job
  private let root: URL
  private let engine: EngineOptions
  /// Nights behind the end of this moment's day are refused; nil takes any.
  private let now: Date?

  /// - Parameters:
  ///   - path: the job file.
  ///   - output: where results will go, and those of earlier nights lie; nil is what the job says.
  ///   - now: nights behind the end of this moment's day are refused; nil takes any.
  /// - Throws: `OfferliftError`, exit 66 where the file is not there, 78 where it is not a job.
  package init(_ path: String, output: String?, engine: EngineOptions, upTo now: Date?) throws {
    self.now = now
    job = try JobReader.read(path)
    root = JobRun.root(of: job, output)
    self.engine = engine
  }

  /// Writes the plan of a night into a folder, and returns what to do with it.
  ///
  /// - Parameters:
  ///   - folder: a new or empty folder.
  ///   - exchange: where tasks write, as Spark names it; nil is the folder itself.
  /// - Throws: `OfferliftError`, as `PlanFolder`; 64 where the folder holds something.
  package func write(_ choice: NightChoice, to folder: String, exchange: String?) throws -> String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard names.isEmpty else {
      throw OfferliftError(.usage, "\(folder) is not empty; name a new folder for the plan.")
    }
    let plan = try plan(choice, in: folder, work: exchange)
    try plan.writeSubmitScript(try engine.submission(for: job))
    return "\(folder): plan \(try plan.hash.prefix(12)). Submit it with \(folder)/submit.sh, "
      + "then type: offerlift run --from-plan \(folder)"
  }

  /// The SQL that Spark would run for a night; nothing is left behind.
  ///
  /// - Throws: `OfferliftError`, as `PlanFolder`.
  package func script(_ choice: NightChoice, exchange: String?) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offerlift-plan-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let usual = root.appendingPathComponent(".exchange/\(job.name)").standardizedFileURL.path
    return try plan(choice, in: folder.path, work: exchange ?? job.engine.exchange ?? "file:\(usual)").text
  }

  private func plan(_ choice: NightChoice, in folder: String, work: String?) throws -> PlanFolder {
    let cutoffs = try choice.cutoffs(timezone: job.timezone, upTo: now)
    guard let cutoff = cutoffs.first, cutoffs.count == 1 else {
      throw OfferliftError(.usage, "A plan is of one night; give one of --date and --as-of.")
    }
    let nights = EarlierNights(root: root, job: job)
    let previous = try nights.previous(to: Night.name(endingAt: cutoff, timezone: job.timezone), cutoff: cutoff)
    let since = previous.map { EarlierCount($0) }
    return try PlanFolder(
      making: ExchangedRun(job: job, cutoff: cutoff, looksBack: true, since: since), in: folder, work: work,
      sizes: job.engine.tasks.map { SparkSizes(for: $0) })
  }
}

extension EarlierCount {
  /// What counting has to know of a night.
  init(_ night: PreviousNight) {
    self.init(
      cutoff: night.asOf,
      files: night.files.map { File(input: $0.input, file: $0.file, bytes: $0.bytes, crc32: $0.crc32) })
  }
}
