import Domain
import Jobs
import Measurement

/// Sees to it that every row of every file is accounted for, and that not too many were rejected.
struct Accounting {
  let job: Job

  /// The accounts in the order of the readings, and all rejects by file and place.
  ///
  /// - Parameter late: rows that were rejected after reading, as the readings' accounts have it, and the number of the
  ///   reading that those of file 0 belong to.
  /// - Throws: `OfferliftError`, exit 65, where rows are missing from an account, or an input has more rejects
  ///   than the job allows.
  func checked(
    _ readings: [FileReading], late: (rows: RejectedRows, shift: Int)? = nil
  ) throws -> (accounts: [FileAccount], rejects: RejectedRows) {
    for reading in readings where !reading.account.isBalanced {
      let account = reading.account
      throw OfferliftError(
        .badData,
        "\(account.file): \(account.rows) rows read, but \(account.used) used and "
          + "\(account.setAside.values.reduce(0, +)) set aside; nothing was published.")
    }
    try checkRejects(readings)
    let lists = readings.enumerated().map { ($1.rejects, $0) } + (late.map { [$0] } ?? [])
    return (readings.map(\.account), RejectedRows.joined(lists))
  }

  private func checkRejects(_ readings: [FileReading]) throws {
    for (input, files) in Dictionary(grouping: readings, by: \.account.input).sorted(by: { $0.key < $1.key }) {
      // The rows of a file that is there twice are those of one.
      let rows = files.reduce(0) { $0 + $1.account.rows - ($1.account.setAside[.sameFile] ?? 0) }
      let rejects = files.reduce(0) { $0 + $1.account.rejected }
      // A quotient is rounded as the job's decimal was: 29 of 100 rows are not more than 0.29.
      guard rejects > 0, Double(rejects) / Double(rows) > job.maxRejectRatio else { continue }
      throw tooManyRejects(input, rejects, rows, in: files)
    }
  }

  private func tooManyRejects(
    _ input: String, _ rejects: Int, _ rows: Int, in files: [FileReading]
  ) -> OfferliftError {
    let first = files.first { !$0.examples.isEmpty }
    let example = first?.examples.first.map { "\(first?.account.file ?? input), line \($0.line): \($0.detail). " } ?? ""
    return OfferliftError(
      .badData,
      "\(example)Of the \(rows) rows of \(input), \(rejects) were rejected, more than max_reject_ratio "
        + "\(job.maxRejectRatio) allows; mend the log, or raise max_reject_ratio to accept more.")
  }
}
