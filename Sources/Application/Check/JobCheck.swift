import Analysis
import Domain
import Engine
import Foundation
import Jobs
import Platform
import Recognition

/// Finds before the night what the night would find: looks at a job and its inputs as a run does, and publishes
/// nothing.
///
/// The inputs are looked at each by itself first, so that every problem is told at once. Where there is none they are
/// counted together as a run counts them: what would fail a run fails here.
package struct JobCheck {
  let path: String
  let threads: Int
  /// How many rows of a file of a purchase log are enough; nil looks at all. Everything else is read whole.
  let rowLimit: Int?
  /// Files that were looked at already, by `FileSample.place`.
  let samples: [String: FileSample]
  /// When the check is made: a night without `--date` is of the day before.
  let now: Date

  /// How many rows of each file are looked at where nobody says: most mistakes show in the first ones, and smaller
  /// files are looked at whole.
  package static let usualRowLimit = 100_000

  package init(
    _ path: String, threads: Int, rowLimit: Int? = usualRowLimit, samples: [String: FileSample] = [:],
    now: Date = Date()
  ) {
    self.path = path
    self.threads = threads
    self.rowLimit = rowLimit
    self.samples = samples
    self.now = now
  }

  /// Checks the job file; problems come back, all of them.
  package func report() async -> CheckReport {
    var report = CheckReport(path: path)
    do {
      let (job, problems) = try JobReader.readAll(path)
      ProgressMeter.current?.accept(up: job.name)
      report.notes += job.purchases.compactMap(\.acceptsAnyApp).map { "\(path), \($0)" }
      let looks = InputLooks(at: job, rowLimit: rowLimit, samples: samples)
      report.accept(looks)
      let undecided = job.metrics.compactMap { metric in
        metric.undecided.map { OfferliftError(.badJobFile, "\(path), line \(metric.line): \($0)") }
      }
      report.problems = [problems].compactMap(\.self) + undecided + looks.problems
      if report.problems.isEmpty, looks.unseen.isEmpty { await count(job, looks, &report) }
    } catch {
      report.problems.append(OfferliftError(error, in: path))
    }
    return report
  }

  /// Counts everything as a run would, at a cut-off behind all there is: what is wrong with the inputs is wrong on
  /// every night.
  private func count(_ job: Job, _ looks: InputLooks, _ report: inout CheckReport) async {
    do {
      let engine = NativeEngine(
        job: job, cutoff: Self.endOfTime, threads: threads, looksBack: false, rowLimit: rowLimit)
      let outcome = try await engine.measure()
      let measurement = outcome.measurement
      report.findings += UserMatch(measurement).sentences + GroupCounts(measurement, job: job).sentences
      report.findings += looks.rateGaps(countedIn: measurement)
      for check in CheckCatalog.checks(ofInputs: measurement, job: job) where check.status != .pass {
        let sentence = "\(check.name): \(check.message)"
        if check.status == .fail { report.warnings.append(sentence) } else { report.notes.append(sentence) }
      }
      let nothing = [
        GroupCounts(measurement, job: job).nobody, looks.areWhole ? UserMatch(measurement).nobody : nil,
        looks.areWhole ? CountedRows.nothing(measurement) : nil,
      ]
      report.doubts += nothing.compactMap { $0.map { OfferliftError(.badData, $0) } }
      report.findings += DateSpans(looks, job: job, now: now).sentences
      if looks.areWhole {
        report.findings += try PlanAdvice.sentences(measurement, outcome.metrics, job: job, cutoff: Self.endOfTime)
      }
      if let advice = advice(for: job) { report.findings.append(advice) }
      if let nobody = GroupCounts(measurement, job: job).nobodyEnrolled { report.warnings.append(nobody) }
    } catch {
      report.problems = looks.rateGaps.map { OfferliftError(.badData, $0) } + [OfferliftError(error, in: path)]
    }
  }

  /// What to do where the inputs are too much for this machine.
  private func advice(for job: Job) -> String? {
    guard job.engine.name == .native, let load = InputLoad.ofJob(job) else { return nil }
    return OneMachine(threads: threads, folder: JobRun.root(of: job, nil)).advice(for: load)
  }

  static let endOfTime = Instant(milliseconds: TimeText.latest)
}

extension PurchaseInput {
  /// Where signatures are checked and nobody says whose they are: Apple signs for every app.
  fileprivate var acceptsAnyApp: String? {
    guard let verification, verification.bundleID == nil else { return nil }
    return "line \(table.line): verify: true without bundle_id: takes what Apple signed for any app; add bundle_id: "
      + "with yours."
  }
}

extension OfferliftError {
  /// An error as one of this program.
  init(_ error: any Error, in position: String) {
    self = error as? OfferliftError ?? OfferliftError(.internalError, "\(position): \(error)")
  }
}
