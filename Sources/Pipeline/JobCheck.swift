import Foundation

/// Looks at a job and the first rows of each of its inputs.
package enum JobCheck {
  /// How many rows of each file are looked at.
  static let rowsLookedAt = 2000

  /// What a check found.
  package struct Report: Sendable {
    /// One sentence for each input that can be read.
    package var findings: [String] = []
    /// Every problem, one on a line; the exit code is the first one's.
    package var error: OfferliftError?
  }

  /// Checks one job file; problems come back, all of them.
  package static func check(_ path: String) -> Report {
    do {
      let (job, problems) = try JobReader.readAll(path)
      var report = inputs(of: job)
      if let problems {
        report.error = OfferliftError(problems.exit, problems: lines(of: problems) + (report.error.map(lines) ?? []))
      }
      return report
    } catch let error as OfferliftError {
      return Report(error: error)
    } catch {
      return Report(error: OfferliftError(.internalError, "\(path): \(error)"))
    }
  }

  private static func inputs(of job: Job) -> Report {
    var report = Report()
    var problems: [OfferliftError] = []
    for probe in probes(of: job) {
      do {
        for file in try probe.input.files(relativeTo: job.file) {
          let reading = try probe.look(file)
          report.findings.append(sentence(reading))
          let examples = reading.rejects.prefix(3).map { reject in
            "\(reading.account.file), line \(reject.line): \(reject.reason.rawValue): \(reject.detail)"
          }
          // As many rejects as the job accepts are no problem, but worth a look.
          if Double(reading.rejects.count) > job.maxRejectRatio * Double(reading.account.rows) {
            problems += examples.map { OfferliftError(.badData, $0) }
          } else {
            report.findings += examples
          }
        }
      } catch let error as OfferliftError {
        problems.append(error)
      } catch {
        problems.append(OfferliftError(.internalError, "\(probe.input.path): \(error)"))
      }
    }
    if let first = problems.first {
      report.error = OfferliftError(first.exit, problems: problems.flatMap(lines))
    }
    return report
  }

  private static func lines(of error: OfferliftError) -> [String] {
    error.message.split(separator: "\n").map(String.init)
  }

  private static func sentence(_ reading: FileReading) -> String {
    let account = reading.account
    let rejects = reading.rejects.count
    let rows = account.rows >= rowsLookedAt ? "of the first \(account.rows) rows" : "of \(account.rows) rows"
    return "\(account.input): \(account.file): \(rows), \(rejects == 0 ? "none" : "\(rejects)") would be rejected."
  }

  /// One input and how to look at a file of it.
  private struct Probe {
    let input: TableInput
    let look: (InputFile) throws -> FileReading
  }

  private static func probes(of job: Job) -> [Probe] {
    let roster = Roster(names: EventNames(), attributes: job.segmentAttributes)
    let farFuture = Instant(milliseconds: TimeText.latest)
    let assignments = job.assignments.map { input in
      Probe(input: input) { file in
        let table = AssignmentTable(
          input: input, job: job, catalog: (try? ReferenceTables(job: job))?.catalog ?? Catalog(),
          cutoff: farFuture, roster: roster)
        return try table.read(file, number: 0, limit: rowsLookedAt).reading
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
