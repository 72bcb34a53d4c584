import Domain
import Jobs

/// Sees to it that every row of every file is accounted for, and that not too many were rejected.
struct Accounting {
  let job: Job

  /// The accounts in the order of the readings, and all rejects by file and line.
  ///
  /// - Throws: `OfferliftError`, exit 65, where rows are missing from an account, or an input has more rejects
  ///   than the job allows.
  func checked(_ readings: [FileReading]) throws -> (accounts: [FileAccount], rejects: [Reject]) {
    for reading in readings where !reading.account.isBalanced {
      let account = reading.account
      throw OfferliftError(
        .badData,
        "\(account.file): \(account.rows) rows read, but \(account.used) used and "
          + "\(account.setAside.values.reduce(0, +)) set aside; nothing was published.")
    }
    var readings = readings
    for number in readings.indices {
      // One line may tell several events, whose rejects come in the order of whichever thread was first.
      readings[number].rejects.sort {
        ($0.byteOffset, $0.line, $0.reason, $0.detail) < ($1.byteOffset, $1.line, $1.reason, $1.detail)
      }
    }
    try checkRejects(readings)
    let rejects = readings.enumerated().flatMap { number, reading in
      reading.rejects.map { reject in
        var reject = reject
        reject.account = number
        return reject
      }
    }
    return (readings.map(\.account), rejects)
  }

  private func checkRejects(_ readings: [FileReading]) throws {
    for (input, files) in Dictionary(grouping: readings, by: \.account.input).sorted(by: { $0.key < $1.key }) {
      let rows = files.reduce(0) { $0 + $1.account.rows }
      let rejects = files.reduce(0) { $0 + $1.rejects.count }
      // A quotient is rounded as the job's decimal was: 29 of 100 rows are not more than 0.29.
      guard rejects > 0, Double(rejects) / Double(rows) > job.maxRejectRatio else { continue }
      throw tooManyRejects(input, rejects, rows, files.lazy.flatMap(\.rejects).first, in: files)
    }
  }

  private func tooManyRejects(
    _ input: String, _ rejects: Int, _ rows: Int, _ first: Reject?, in files: [FileReading]
  ) -> OfferliftError {
    let file = files.first { !$0.rejects.isEmpty }?.account.file ?? input
    let example = first.map { "\(file), line \($0.line): \($0.detail). " } ?? ""
    return OfferliftError(
      .badData,
      "\(example)Of the \(rows) rows of \(input), \(rejects) were rejected, more than max_reject_ratio "
        + "\(job.maxRejectRatio) allows; mend the log, or raise max_reject_ratio to accept more.")
  }
}
