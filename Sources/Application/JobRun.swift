import Analysis
import Domain
import Engine
import Foundation
import Jobs
import Platform
import Publishing
import Spark

/// One job, ready to run: its plan read, nothing touched yet.
package struct JobRun: Sendable {
  private var job: Job
  private let root: URL
  private let threads: Int
  /// Where what files of purchases and assignments held is kept from night to night; nil where the job does not ask for
  /// it, or another engine measures.
  private let store: EventStore?
  private let measuring: Measuring
  /// The job's folder becomes this job file's, whoever's it was.
  private let takesOver: Bool
  /// The job's folder is written to, whoever else may change it.
  private let trustsFolder: Bool
  /// What programs among the inputs have written, for every night of the run; nil where none may be started.
  private let programs: ProgramOutputs?

  /// The least memory that a run may be held to.
  package static let leastMemory = MemoryLimit.least

  /// - Parameters:
  ///   - path: the job file.
  ///   - output: where results go; nil is the job's `output:`, else `reports` beside the job file's folder.
  ///   - isFresh: what was read of purchase files before is not used, and kept anew.
  ///   - memory: how much memory a run may take; nil is half of the machine's.
  ///   - engine: who measures, where that is not what the job says.
  ///   - startsPrograms: programs that the job names in place of files are started.
  ///   - waitsForPipes: whoever writes to a pipe that the job names in place of a file is waited for, however long.
  ///   - takesOver: the job's folder becomes this job file's, whoever's it was.
  ///   - trustsFolder: the job's folder is written to, whoever else may change it.
  ///   - reports: where readers open reports, where that is not what the job says.
  /// - Throws: `OfferliftError`, exit 66 where the file is not there, 78 where it is not a job.
  package init(
    _ path: String, output: String?, threads: Int, isFresh: Bool = false, memory: ByteSize? = nil,
    engine: EngineOptions = EngineOptions(), startsPrograms: Bool = false,
    waitsForPipes: Bool = false, takesOver: Bool = false, trustsFolder: Bool = false, reports: ReportAddress? = nil
  ) throws {
    job = try JobReader.read(path)
    job.reports = reports ?? job.reports
    (self.takesOver, self.trustsFolder) = (takesOver, trustsFolder)
    root = Self.root(of: job, output)
    programs = startsPrograms ? ProgramOutputs(in: root.path) : nil
    self.threads = threads
    switch try engine.engine(for: job, root: root, threads: threads) {
    case .some(let spark): (store, measuring) = (nil, .spark(spark))
    case .none:
      let limit = MemoryLimit(memory, folder: self.root.path, endsRun: true)
      let (state, root) = (job.state, self.root)
      store = state.map {
        EventStore(folder: $0.folder(beside: root), maxBytes: $0.maxBytes, isFresh: isFresh)
      }
      // It has what pipes held for every night of the run.
      let pipes = PipeSpool(in: root.path, patience: waitsForPipes ? nil : PipeSpool.usualPatience)
      measuring = .here(threads: threads, store: store, memory: limit, pipes: pipes)
    }
  }

  /// Where results go.
  static func root(of job: Job, _ output: String?) -> URL {
    let usual = job.file.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("reports")
    return output.map { URL(fileURLWithPath: $0).standardizedFileURL } ?? job.output ?? usual
  }

  /// A run that Spark has measured already.
  ///
  /// - Parameters:
  ///   - plan: the folder of a plan whose submission has ended.
  ///   - output: as above.
  /// - Throws: `OfferliftError`, exit 66 where there is no plan, 65 where it is none of this program's.
  private init(
    finishing plan: PlanFolder, output: String?, threads: Int, takesOver: Bool, trustsFolder: Bool
  ) throws {
    (self.takesOver, self.trustsFolder) = (takesOver, trustsFolder)
    programs = nil
    job = try plan.run { try JobReader.read($0) }.job
    root = Self.root(of: job, output)
    self.threads = threads
    store = nil
    measuring = .plan(plan, threads: threads)
  }

  /// The run of a plan's folder, and the cut-off that was planned.
  package static func finishing(
    _ folder: String, output: String?, threads: Int, takesOver: Bool, trustsFolder: Bool, reports: ReportAddress?
  ) throws -> (run: JobRun, cutoff: Instant) {
    let plan = try PlanFolder(folder)
    var run = try JobRun(
      finishing: plan, output: output, threads: threads, takesOver: takesOver, trustsFolder: trustsFolder)
    run.job.reports = reports ?? run.job.reports
    return (run, plan.cutoff)
  }

  /// The cut-offs of the nights asked for, in the job's timezone.
  ///
  /// - Parameter now: nights behind the end of this day are refused; nil takes any.
  /// - Throws: `OfferliftError`, exit 64, where a date or time cannot be read, or is still to come.
  package func cutoffs(_ choice: NightChoice, upTo now: Date? = nil) throws -> [Instant] {
    try choice.cutoffs(timezone: job.timezone, upTo: now)
  }

  /// A published night, as the command line reports it.
  package struct Summary: Sendable {
    /// The verdict in words and where the files lie, on one line.
    package let line: String
    package let job: String
    /// The night's date.
    package let night: String
    /// The stages of the run and how long each took.
    package let stages: [(name: String, seconds: Double)]
    /// Files that were left out, users' ids that do not match, what could not be cleared away.
    package let warnings: [String]
    /// Whether a check failed.
    package let hasFailedCheck: Bool
    /// What notifications say of it.
    package let notice: NightNotice
  }

  /// Measures, analyzes and publishes the night that ends at `cutoff`.
  ///
  /// - Parameters:
  ///   - further: what the tables are written as beside CSV; nil is nothing.
  ///   - run: the cut-offs of all nights that are published together.
  /// - Throws: `OfferliftError` with the exit code the command ends with; old results stand as they were.
  package func publish(
    _ cutoff: Instant, alsoAs further: FurtherTables? = nil, in run: [Instant] = []
  ) async throws -> Summary {
    let names = Set(run.map { Night.name(endingAt: $0, timezone: job.timezone) })
    return try await publishNight(cutoff, further, names)
  }

  private func publishNight(_ cutoff: Instant, _ further: FurtherTables?, _ run: Set<String>) async throws -> Summary {
    // A task of Spark reads files of its own machine: it refuses the job by the table's name.
    let job = measuring.isHere ? try await programs?.bring(into: self.job) ?? self.job : self.job
    var record = RunRecord.begin(version: Product.version, threads: threads)
    let nightName = Night.name(endingAt: cutoff, timezone: job.timezone)
    ProgressMeter.current?.accept(up: "\(job.name) \(nightName)")
    let lock = try JobLock(root: root, job: job, trustsFolder: trustsFolder)
    defer { withExtendedLifetime(lock) {} }
    let publisher = Publisher(root: root, job: job, takesOver: takesOver)
    try publisher.preflight(for: nightName)
    let nights = EarlierNights(root: root, job: job)
    let analysis = NightAnalysis(job: job, nights: nights)
    store?.open()
    let since = try nights.previous(to: nightName, cutoff: cutoff).map {
      SinceLastNight(job: job, version: record.version, previous: $0, measuring: measuring, analysis: analysis)
    }

    let version = try SinceLastVersion(nights, before: nightName, version: record.version, measuring, analysis)
    let outcome = try await measuring.measure(job, cutoff: cutoff, since: since?.count)
    if let nobody = GroupCounts(outcome.measurement, job: job).nobodyYet { throw OfferliftError(.badData, nobody) }
    var timings = outcome.timings
    var night = try timings.time("analysis") { try analysis.result(of: outcome, asOf: cutoff) }
    if let since {
      let found = night
      night.accept(await timings.time("changes") { await since.changes(outcome, beside: found) }, job: job)
    }
    let restated = await version?.restate(&night) ?? []
    record.stages = timings.stages
    record.digests = InputDigests(of: night.accounts, job: job).beginning()
    ProgressMeter.current?.begin("publishing")
    let publication = try publisher.publish(night, record: record, alsoAs: further, in: run)
    store?.finishRun()
    return Summary(
      line: line(night, publication.folder), job: job.name, night: night.night,
      stages: record.stages.map { ($0.name, $0.seconds) },
      warnings: outcome.warnings + restated + (store?.drainWarnings() ?? [])
        + night.checks.compactMap(\.warning)
        + publication.warnings,
      hasFailedCheck: night.hasFailedCheck,
      notice: NightNotice(night, job: job, folder: publication.folder))
  }

  /// What notifications say of a night that was not published.
  package func notice(of failure: OfferliftError, at cutoff: Instant) -> NightNotice {
    NightNotice(
      job: job.name, night: Night.name(endingAt: cutoff, timezone: job.timezone), cutoff: cutoff, failure: failure)
  }

  /// The same of a job file that could not be read, by the file's name.
  package static func notice(of failure: OfferliftError, jobFile: String) -> NightNotice {
    let name = URL(fileURLWithPath: jobFile).deletingPathExtension().lastPathComponent
    return NightNotice(job: name, night: "", cutoff: nil, failure: failure)
  }

  private func line(_ night: NightResult, _ folder: URL) -> String {
    return "\(job.name) \(night.night): \(NightLine.text(of: night.verdicts)) → \(Self.shortest(folder))"
  }

  /// Relative to the working directory where the path lies below it.
  private static func shortest(_ folder: URL) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return folder.path.hasPrefix(here) ? String(folder.path.dropFirst(here.count)) : folder.path
  }
}

extension Check {
  /// What the terminal says of it; nil where it is worth no line there.
  fileprivate var warning: String? { isReported ? "\(name): \(message)" : nil }
}
