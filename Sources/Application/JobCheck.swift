import Analysis
import Domain
import Engine
import Foundation
import Jobs
import Platform
import Publishing

/// Looks at a job and its inputs as a run does, and publishes nothing.
package enum JobCheck {
  /// How many rows of each log are looked at first: most mistakes show in the first one.
  static let rowsLookedAt = 2000

  /// What a check found.
  package struct Report: Sendable {
    /// One sentence for each input that can be read, and what else is worth knowing.
    package var findings: [String] = []
    /// Why a run would say that its figures are not to be trusted.
    package var warnings: [String] = []
    /// Every problem, one on a line; the exit code is the first one's.
    package var error: OfferliftError?
  }

  /// Checks one job file; problems come back, all of them.
  ///
  /// The small tables, the assignments and the beginning of every log are looked at each by itself, so that every
  /// problem is told at once. Where there is none all is counted as a run counts it: what would fail a run fails here.
  package static func check(_ path: String, threads: Int) async -> Report {
    do {
      let (job, problems) = try JobReader.readAll(path)
      ProgressMeter.current?.take(up: job.name)
      var (report, found) = beginnings(of: job)
      found = [problems].compactMap(\.self) + found
      if let first = found.first {
        let lines = found.flatMap { $0.message.split(separator: "\n").map(String.init) }
        report.error = OfferliftError(first.exit, problems: lines)
        return report
      }
      return try await whole(job, threads: threads)
    } catch let error as OfferliftError {
      return Report(error: error)
    } catch {
      return Report(error: OfferliftError(.internalError, "\(path): \(error)"))
    }
  }

  // MARK: - All of it

  /// Counts everything as a run would, at a cut-off behind all there is: what is wrong with the inputs is wrong on
  /// every night.
  private static func whole(_ job: Job, threads: Int) async throws -> Report {
    let engine = NativeEngine(job: job, cutoff: endOfTime, threads: threads, looksBack: false)
    let measurement = try await engine.measure().measurement
    var report = Report()
    for (number, account) in measurement.accounts.enumerated() {
      let rejects = measurement.rejects.filter { $0.account == number }
      report.findings.append(sentence(account, rejects: rejects.count))
      report.findings += examples(rejects, of: account)
    }
    for check in CheckCatalog.checks(ofInputs: measurement, job: job) where check.status != .pass {
      let line = "\(check.name): \(check.messageWithIDs ?? check.message)"
      if check.status == .fail { report.warnings.append(line) } else { report.findings.append(line) }
    }
    return report
  }

  private static let endOfTime = Instant(milliseconds: TimeText.latest)

  private static func sentence(_ account: FileAccount, rejects: Int, isBeginning: Bool = false) -> String {
    let rows =
      isBeginning && account.rows >= rowsLookedAt ? "of the first \(account.rows) rows" : "of \(account.rows) rows"
    return "\(account.input): \(account.file): \(rows), \(rejects == 0 ? "none" : "\(rejects)") would be rejected."
  }

  private static func examples(_ rejects: some Sequence<Reject>, of account: FileAccount) -> [String] {
    rejects.prefix(3).map { "\(account.file), line \($0.line): \($0.reason.rawValue): \($0.detail)" }
  }

  // MARK: - The beginning of each input

  private static func beginnings(of job: Job) -> (Report, problems: [OfferliftError]) {
    var report = Report()
    var problems: [OfferliftError] = []
    let roster = Roster(names: EventNames(), attributes: job.segmentAttributes)
    for probe in probes(of: job, roster) {
      problems += collecting("\(probe.input.path)") {
        for file in try probe.input.files(relativeTo: job.file) {
          let reading = try probe.look(file)
          report.findings.append(sentence(reading.account, rejects: reading.rejects.count, isBeginning: true))
          // As many rejects as the job accepts are no problem, but worth a look.
          if Double(reading.rejects.count) > job.maxRejectRatio * Double(reading.account.rows) {
            problems += examples(reading.rejects, of: reading.account).map { OfferliftError(.badData, $0) }
          } else {
            report.findings += examples(reading.rejects, of: reading.account)
          }
        }
      }
    }
    problems += collecting(job.file.lastPathComponent) {
      try AssignmentTable.refuseUnknownAttributes(of: job, roster)
    }
    problems += collecting(job.file.lastPathComponent) {
      let catalog = (try? ReferenceTables(job: job))?.catalog ?? Catalog()
      try BaselineRule(job: job).verify(roster.groups(toMeasureBy: job, catalog: catalog))
    }
    return (report, problems)
  }

  /// What `work` throws, as an error of this program.
  private static func collecting(_ place: String, _ work: () throws -> Void) -> [OfferliftError] {
    do {
      try work()
      return []
    } catch let error as OfferliftError {
      return [error]
    } catch {
      return [OfferliftError(.internalError, "\(place): \(error)")]
    }
  }

  /// One input and how to look at a file of it.
  private struct Probe {
    let input: TableInput
    let look: (InputFile) throws -> FileReading
  }

  private static func probes(of job: Job, _ roster: Roster) -> [Probe] {
    let catalog = (try? ReferenceTables(job: job))?.catalog ?? Catalog()
    let assignments = job.assignments.map { input in
      Probe(input: input) { file in
        let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: endOfTime, roster: roster)
        return try table.read(file, number: 0).reading
      }
    }
    let types = EventTypes(named: job.namedEventTypes)
    let purchases = job.purchases.map { input in
      Probe(input: input.table) { file in
        let log = try PurchaseLog(input, of: job, types: types, names: roster.names)
        var sink = NoSink()
        return try log.read(file, into: &sink, limit: rowsLookedAt)
      }
    }
    return reference(of: job) + assignments + purchases
  }

  /// The small tables are read whole, and as one: they hang on one another.
  private static func reference(of job: Job) -> [Probe] {
    let tables = [
      job.catalog?.offerings, job.catalog?.groups, job.catalog?.products, job.catalog?.copy,
      job.catalog?.responses, job.products, job.identities, job.exchangeRates,
    ]
    return tables.compactMap(\.self).map { input in
      Probe(input: input) { file in
        let readings = try ReferenceTables(job: job).readings
        return readings.first { $0.account.file == file.displayName } ?? FileReading(input: input.name, file: file)
      }
    }
  }

  /// Where the events of a check go.
  private struct NoSink: EventSink {
    mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {}
    mutating func finishBatch() {}
    mutating func abandonFile() {}
    mutating func finishFile() {}
  }
}
