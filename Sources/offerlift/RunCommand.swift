import Application
import ArgumentParser
import Domain
import Foundation
import Jobs
import Logging
import Publishing

/// `offerlift run`: the pipeline, for one job or many.
struct RunCommand: AsyncParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure, analyze and publish jobs.",
    discussion: """
      Results go to DIR/<job>/<night>/, and DIR/<job>/latest points at the newest night. Old results stand \
      until the new ones are whole. Prints one line a night: the verdict, and where the files lie.

      EXAMPLES

        offerlift run jobs/offering-price-test.yml --date 2026-04-30
        offerlift run jobs/*.yml --from 2026-04-01 --to 2026-04-30 --output /srv/reports
      """)

  @Argument(help: "Job files.", completion: .file(extensions: ["yml", "yaml"]))
  var jobs: [String] = []

  @OptionGroup var night: NightOptions

  @Option(help: ArgumentHelp("With --to: one run for each day, from this one.", valueName: "day"))
  var from: String?

  @Option(help: ArgumentHelp("With --from: to this day.", valueName: "day"))
  var to: String?

  @OptionGroup var future: FutureOptions

  @Option(
    help: ArgumentHelp(
      "Where results go. (default: the job's output:, else reports beside the job file's folder)", valueName: "dir"))
  var output: String?

  @Option(help: "Tasks that read and count at once. (default: as many as there are processors)")
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      """
      Take so much memory at most, as 256M or 2GB: what goes beyond it waits on the disk. (default: half of the \
      machine's)
      """,
      valueName: "size"),
    transform: { text in
      guard let size = ByteSize(text) else { throw ValidationError("Write a whole number and its unit: 256M or 2GB.") }
      return size
    })
  var memory: ByteSize?

  @Option(help: "Who measures: native, this program alone, or Apache spark. (default: the job's engine:, else native)")
  var engine: EngineChoice.Name?

  @OptionGroup var spark: SparkOptions

  @Option(
    help: ArgumentHelp(
      "Publish what Spark has measured by this plan, in place of job files.", valueName: "dir"), completion: .directory)
  var fromPlan: String?

  @Flag(help: "Read every purchase and assignment file, also those that state: has kept, and keep them anew.")
  var fresh = false

  @Flag(
    help: "Make a job's folder this job file's, where it holds the nights of another of the same name, or it has moved."
  )
  var takeOver = false

  @Option(
    help: ArgumentHelp(
      "Write the tables as this, too, beside their CSV: parquet, with typed columns.", valueName: "format"))
  var tables: FurtherTables?

  @Flag(help: "Start the programs that jobs name: command: in place of a file, engine: submit:.")
  var allowCommands = false

  @Flag(help: "Wait for whoever writes to a named pipe in a file's place, however long that takes; else five seconds.")
  var allowPipes = false

  @OptionGroup var trust: TrustOptions

  @OptionGroup var notify: NotifyOptions

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var sound: QuietOption

  @Flag(help: "End with exit code 3 where a check failed.")
  var strict = false

  func validate() throws {
    guard jobs.isEmpty != (fromPlan == nil) else {
      throw ValidationError(
        jobs.isEmpty ? "Name a job file, or a plan with --from-plan." : "Give job files or --from-plan, not both.")
    }
    let others = [from, to, engine?.rawValue, spark.sparkSubmit]
    guard fromPlan == nil || !night.isGiven && others.allSatisfy({ $0 == nil }) else {
      throw ValidationError(
        "--from-plan goes without a date and an engine: a plan is of one night, which Spark has measured.")
    }
    guard threads ?? 1 >= 1 else { throw ValidationError("--threads must be at least 1.") }
    guard memory ?? JobRun.leastMemory >= JobRun.leastMemory else {
      throw ValidationError(
        "--memory must be at least \(JobRun.leastMemory.bytes / 1_000_000)M: reading alone takes as much.")
    }
    guard (from == nil) == (to == nil) else { throw ValidationError("--from and --to go together.") }
    let choices = [night.asOf, night.date, from].compactMap(\.self)
    guard choices.count <= 1 else { throw ValidationError("Give one of --as-of, --date, and --from with --to.") }
  }

  func run() async throws { try await progress.showing { try await publish() } }

  private func publish() async throws {
    // Nobody reads the lines any more, and the nights are published all the same.
    signal(SIGPIPE, SIG_IGN)
    let logger = StandardErrorLog.logger(progress.log)
    let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
    let notifications = try notify.files()
    try notifications.verify(jobs: jobs.count, nights: 1)
    let reports = try notify.reports()
    let (runs, nights) = try plannedRun(threads, reports) ?? namedRuns(threads, notifications, reports)
    try notifications.verify(jobs: 1, nights: nights.map(\.count).max() ?? 0)
    var failure: OfferliftError?
    var failedChecks: [String] = []
    for (run, cutoffs) in zip(runs, nights) {
      do {
        for cutoff in cutoffs {
          let summary = try await published(cutoff, in: cutoffs, of: run, notifications)
          summary.show(logger)
          if summary.hasFailedCheck { failedChecks.append(summary.line) }
          do { try Terminal.say(summary.line) } catch {
            // The night is published; only its line is missing.
            progress.complain(error)
            failure = failure ?? error
          }
          failure = failure ?? notifications.write(summary.notice, complain: progress.complain)
        }
      } catch let error as OfferliftError where runs.count > 1 {
        // One job's bad log is no reason to leave the other jobs without their night.
        progress.complain(error)
        failure = failure ?? error
      }
    }
    if let failure { throw ExitCode(failure.exit.rawValue) }
    guard strict, !failedChecks.isEmpty else { return }
    if Terminal.isQuiet {
      failedChecks.forEach { progress.complain(OfferliftError(.badData, "a check failed: \($0)")) }
    }
    throw ExitCode(3)
  }

  /// Publishes a night; of one that fails notifications tell.
  private func published(
    _ cutoff: Instant, in cutoffs: [Instant], of run: JobRun, _ notifications: Notifications
  ) async throws -> JobRun.Summary {
    do { return try await run.publish(cutoff, alsoAs: tables, in: cutoffs) } catch let error as OfferliftError {
      _ = notifications.write(run.notice(of: error, at: cutoff), complain: progress.complain)
      throw error
    }
  }

  private func namedRuns(
    _ threads: Int, _ notifications: Notifications, _ reports: ReportAddress?
  ) throws -> ([JobRun], [[Instant]]) {
    let engine = EngineOptions(name: engine, submit: spark.sparkSubmit, startsPrograms: allowCommands)
    let runs = try jobs.map { file in
      do {
        return try JobRun(
          file, output: output, threads: threads, isFresh: fresh, memory: memory, engine: engine,
          startsPrograms: allowCommands, waitsForPipes: allowPipes, takesOver: takeOver,
          trustsFolder: trust.trustFolder, reports: reports)
      } catch let error as OfferliftError {
        _ = notifications.write(JobRun.notice(of: error, jobFile: file), complain: progress.complain)
        throw error
      }
    }
    return (runs, try runs.map { try $0.cutoffs(choice, upTo: future.today) })
  }

  private func plannedRun(_ threads: Int, _ reports: ReportAddress?) throws -> ([JobRun], [[Instant]])? {
    guard let fromPlan else { return nil }
    let (run, cutoff) = try JobRun.finishing(
      fromPlan, output: output, threads: threads, takesOver: takeOver, trustsFolder: trust.trustFolder,
      reports: reports)
    return ([run], [[cutoff]])
  }

  private var choice: NightChoice {
    if let from, let to { return .days(from: from, to: to) }
    return night.choice
  }
}

extension FurtherTables: ExpressibleByArgument {}

extension JobRun.Summary {
  /// Logs the night's warnings, and how long each stage took.
  fileprivate func show(_ logger: Logger) {
    for warning in warnings { logger.warning("\(warning)") }
    for stage in stages {
      logger.info(
        "\(night): \(stage.name) took \(stage.seconds.formatted(.number.precision(.fractionLength(3)))) s",
        metadata: ["job": "\(job)"])
    }
  }
}
