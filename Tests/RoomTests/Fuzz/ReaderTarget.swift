import Foundation

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Parquet
@testable import Platform
@testable import Publishing

/// A reader of files, how bytes are given to it, and what it may end with: what is tried in the tests and by libFuzzer.
struct ReaderTarget {
  /// The name of the file that is made up, which says what reads it; those in `Tests/Fuzz/corpus`, packed perhaps, and
  /// `table.parquet` or `job.yml`.
  let file: String
  private let kind: Kind

  private enum Kind {
    case purchases(format: String)
    case assignments(format: String, keys: String)
    case packed
    case parquet
    case job
    case statistics
  }

  /// Nil where nothing reads a file of that name.
  init?(_ file: String) {
    self.file = file
    let columns = ", columns: [id, user, offering, group, assigned_at, country]"
    switch file {
    case "assignments.csv": kind = .assignments(format: "csv", keys: "")
    case "assignments.tsv", "dump.sql": kind = .assignments(format: "mysql", keys: columns)
    case "events.jsonl.gz", "events.jsonl.zst", "events.zip": kind = .packed
    case "table.parquet": kind = .parquet
    case "job.yml": kind = .job
    case "statistics.csv": kind = .statistics
    default:
      let format = String(file.prefix { $0 != "." })
      guard PurchaseCatalog.all.contains(where: { $0.name == format }) else { return nil }
      kind = .purchases(format: format)
    }
  }

  /// Rows of a file do not add up: a fault of the program's.
  struct UnbalancedRows: Error {}

  /// Whether the program may end so: it says in words what is wrong.
  static func isExpected(_ error: any Error) -> Bool {
    error is OfferliftError || error is CorruptFile || error is ParquetFault
  }

  /// Bytes that somebody who knows the file's layout makes of others.
  func changed(_ bytes: [UInt8], by mutator: inout Mutator) -> [UInt8] {
    switch kind {
    case .packed, .parquet: return mutator.bytes(bytes)
    case .statistics: return mutator.rows(bytes, cells: UInt8(ascii: ","))
    case .assignments(let format, _):
      guard mutator.below(3) > 0 else { return mutator.bytes(bytes) }
      return mutator.rows(bytes, cells: UInt8(ascii: format == "csv" ? "," : "\t"))
    case .purchases:
      guard file.hasSuffix(".jsonl"), mutator.below(4) > 0 else { return mutator.rows(bytes, cells: UInt8(ascii: ",")) }
      return mutator.json(bytes)
    case .job:
      switch mutator.below(4) {
      case 0: return mutator.bytes(bytes)
      case 1: return mutator.json(bytes)
      case 2: return mutator.digits(bytes)
      default: return mutator.rows(bytes, cells: UInt8(ascii: ":"))
      }
    }
  }

  private static let metrics = """
    max_reject_ratio: 1
    outside: true
    metrics:
      - {name: revenue_net, window: 30d, primary: true}
      - {name: proceeds, window: none}
      - {name: refund_rate, window: none}
      - {name: mrr}
      - {name: retention}
      - {name: trial_to_paid, window: 30d}

    """

  /// Writes what else there must be for the reader beside the made up file.
  ///
  /// - Parameter sample: what a file of the corpus holds.
  func prepare(_ folder: URL, sample: (String) throws -> [UInt8]) throws {
    let job: String
    switch kind {
    case .purchases(let format):
      try write(sample("assignments.csv"), to: "assignments.csv", in: folder)
      job = "assignments: {path: assignments.csv}\npurchases: {path: \(file), format: \(format)}"
    case .assignments(let format, let keys):
      try write(sample("events.jsonl"), to: "events.jsonl", in: folder)
      job = """
        assignments: {path: \(file), format: \(format)\(keys), attributes: [country]}
        purchases: {path: events.jsonl, format: events}
        segments: [country]
        """
    case .packed: job = "population: logged\npurchases: {path: \(file), format: events}"
    case .parquet, .job, .statistics: return
    }
    try write(Array("job: fuzz\n\(job)\n\(Self.metrics)".utf8), to: "job.yml", in: folder)
  }

  /// Gives bytes to the reader.
  ///
  /// - Returns: how many rows it understood; 1 of what has none.
  /// - Throws: what `isExpected` holds of, or what shows that the program is wrong.
  @discardableResult
  func use(_ input: [UInt8], in folder: URL) async throws -> Int {
    if case .statistics = kind { return try analyze(input) }
    try write(input, to: file, in: folder)
    switch kind {
    case .parquet:
      let file = try ParquetFile(folder.appending(path: file).path, displayName: file)
      var (rows, count) = (ParquetRows(file, file.columns.map(\.node)), 0)
      while true {
        let more = try rows.next(atMost: 2048)
        guard more > 0 else { return count }
        count += more
      }
    case .job:
      _ = try JobReader.read(folder.appending(path: file).path)
      return 1
    default: return try await measure(folder)
    }
  }

  private func write(_ bytes: [UInt8], to name: String, in folder: URL) throws {
    try Data(bytes).write(to: folder.appending(path: name))
  }

  private func measure(_ folder: URL) async throws -> Int {
    let job = try JobReader.read(folder.appending(path: "job.yml").path)
    let cutoff = try Instant("2030-01-01", timezone: job.timezone)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: 1).measure()
    guard outcome.measurement.accounts.allSatisfy({ $0.isBalanced }) else { throw UnbalancedRows() }
    _ = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff, last: nil)
    return outcome.measurement.accounts.filter { $0.file.hasPrefix(file) }.reduce(0) { $0 + $1.rows - $1.rejected }
  }

  private func analyze(_ table: [UInt8]) throws -> Int {
    var reports = 0
    for rule in [nil, "sequential", "bayes"] as [String?] {
      var arguments = AnalyzeArguments(name: file)
      arguments.decideBy = rule
      do {
        _ = try AnalyzeReport(table: table, arguments: arguments)
        reports += 1
      } catch is OfferliftError {}
    }
    return reports
  }
}
