import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Parquet
@testable import Platform
@testable import Publishing

/// Whatever bytes a reader is given: they are read, or an error says in words what is wrong, soon.
///
/// A few inputs a target, or as many as `FUZZ_SECONDS` leave time for (`Tests/fuzz.sh`). The samples that inputs are
/// made of lie in `Tests/Fuzz/corpus`.
@Suite("Made up inputs of every reader", .serialized)
struct ReaderFuzzTests {
  /// So many inputs of a target are tried where nobody asks for more.
  private static let few = 15

  private static func corpus(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: repository.appending(path: "Tests/Fuzz/corpus/\(name)")))
  }

  /// Tries inputs that are made of some samples.
  ///
  /// - Parameters:
  ///   - change: makes an input of a sample.
  ///   - use: reads it; errors of the program's own are as they should be.
  private func fuzz(
    _ target: String, _ samples: [[UInt8]], change: (inout Mutator, [UInt8]) -> [UInt8],
    use: ([UInt8]) async throws -> Void
  ) async throws {
    for sample in samples { try? await use(sample) }
    try await FuzzPlan.forEach(target, Self.few) { seed, trying in
      var mutator = Mutator(seed: seed)
      var input = samples[Int(seed % UInt64(samples.count))]
      for _ in 0...mutator.below(3) { input = change(&mutator, input) }
      try trying(input)
      do { try await use(input) } catch let error
        where error is OfferliftError || error is CorruptFile
        || error is ParquetFault
      {}
    }
  }

  // MARK: - Purchases and assignments

  /// How a file's rows are changed.
  private static func rows(_ name: String) -> (inout Mutator, [UInt8]) -> [UInt8] {
    let isJSON = name.hasSuffix(".jsonl")
    let separator = UInt8(ascii: name.hasSuffix(".tsv") ? "\t" : ",")
    return { mutator, bytes in
      guard isJSON else { return mutator.rows(bytes, cells: separator) }
      return mutator.below(4) == 0 ? mutator.rows(bytes, cells: separator) : mutator.json(bytes)
    }
  }

  /// Measures a job whose files lie in a folder.
  private func measure(_ folder: TemporaryFolder, _ yaml: String, until day: String = "2025-01-01") async throws {
    try folder.write("job.yml", yaml)
    let job = try JobReader.read(folder.path("job.yml"))
    let cutoff = try Instant(day, timezone: job.timezone)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: 1).measure()
    #expect(outcome.measurement.accounts.allSatisfy { $0.isBalanced })
    _ = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff, last: nil)
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

  @Test("Every format of purchases", arguments: PurchaseCatalog.all.map(\.name))
  func purchases(format: String) async throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: repository.appending(path: "Tests/Fuzz/corpus").path)
    let name = try #require(files.first { $0.hasPrefix(format + ".") }, "no sample of \(format)")
    let folder = try TemporaryFolder()
    try folder.write("assignments.csv", Self.corpus("assignments.csv"))
    let yaml = """
      job: fuzz
      assignments: assignments.csv
      purchases: {path: \(name), format: \(format)}
      \(Self.metrics)
      """
    try await fuzz(format, [Self.corpus(name)], change: Self.rows(name)) { input in
      try folder.write(name, input)
      try await measure(folder, yaml)
    }
  }

  @Test(
    "Tables of assignments",
    arguments: [
      ("assignments.csv", "csv", ""),
      ("assignments.tsv", "mysql", ", columns: [id, user, offering, group, assigned_at, country]"),
      ("dump.sql", "mysql", ", columns: [id, user, offering, group, assigned_at, country]"),
    ])
  func assignments(name: String, format: String, keys: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("events.jsonl", Self.corpus("events.jsonl"))
    let yaml = """
      job: fuzz
      assignments: {path: \(name), format: \(format)\(keys), attributes: [country]}
      purchases: {path: events.jsonl, format: events}
      segments: [country]
      \(Self.metrics)
      """
    try await fuzz(
      "assignments-\(name)", [Self.corpus(name)],
      change: { mutator, bytes in
        mutator.below(3) == 0
          ? mutator.bytes(bytes) : mutator.rows(bytes, cells: UInt8(ascii: format == "csv" ? "," : "\t"))
      }
    ) { input in
      try folder.write(name, input)
      try await measure(folder, yaml)
    }
  }

  // MARK: - Containers

  @Test("What is packed", arguments: ["gzip", "zstd", "zip"])
  func packed(kind: String) async throws {
    let text = try Self.corpus("events.jsonl")
    let samples: [[UInt8]] =
      switch kind {
      case "gzip":
        [
          Gzip.member(text), Gzip.member(text.prefix(700)) + Gzip.member(text.dropFirst(700)),
          Gzip.member(text, header: Gzip.Header(isText: true, extra: [1, 2, 3, 4], name: "x", comment: "y")),
        ]
      case "zstd": [Zstd.frame(text), Zstd.skippable([1, 2, 3]) + Zstd.frame(text, windowLog: 12) + Zstd.frame(text)]
      default:
        [
          Zip.archive([Zip.Member("a.jsonl", text), Zip.Member("b.jsonl", text.prefix(300))]),
          Zip.archive([
            {
              var member = Zip.Member("a.jsonl", text)
              (member.method, member.isLarge) = (0, true)
              return member
            }()
          ]),
        ]
      }
    let folder = try TemporaryFolder()
    let name = "events.\(kind == "gzip" ? "jsonl.gz" : kind == "zstd" ? "jsonl.zst" : "zip")"
    try await fuzz(kind, samples, change: { $0.bytes($1) }) { input in
      try folder.write(name, input)
      try await measure(
        folder,
        """
        job: fuzz
        population: logged
        purchases: {path: \(name), format: events}
        \(Self.metrics)
        """)
    }
  }

  @Test("Parquet")
  func parquet() async throws {
    let folder = try TemporaryFolder()
    let samples = WrittenFile.all.map { Array($0.bytes) }
    try await fuzz("parquet", samples, change: { $0.bytes($1) }) { input in
      try folder.write("table.parquet", input)
      let file = try ParquetFile(folder.path("table.parquet"), displayName: "table.parquet")
      var rows = ParquetRows(file, file.columns.map(\.node))
      while try rows.next(atMost: 2048) > 0 {}
    }
  }

  // MARK: - Jobs, histories, statistics

  @Test("Job files")
  func jobs() async throws {
    let folder = try TemporaryFolder()
    let names = ["free-trial", "offering-price-test", "professional-plan", "three-day-access", "tiers-and-credits"]
    let samples = try names.map {
      Array(try Data(contentsOf: repository.appending(path: "jobs/\($0).yml")))
    }
    try await fuzz(
      "job", samples,
      change: { mutator, bytes in
        switch mutator.below(4) {
        case 0: mutator.bytes(bytes)
        case 1: mutator.json(bytes)
        case 2: mutator.digits(bytes)
        default: mutator.rows(bytes, cells: UInt8(ascii: ":"))
        }
      }
    ) { input in
      try folder.write("job.yml", input)
      _ = try JobReader.read(folder.path("job.yml"))
    }
  }

  @Test("The history of earlier nights")
  func history() async throws {
    let folder = try ScratchFolder()
    for day in 0..<3 {
      let asOf = Instant(milliseconds: HandMade.asOf.milliseconds - Int64(2 - day) * Instant.millisecondsPerDay)
      try PublishedNight.publish(try PublishedNight.night(asOf: asOf), in: folder)
    }
    let job = PublishedNight.job
    let path = folder.url.appending(path: "\(job.name)/results.sqlite")
    let sound = Array(try Data(contentsOf: path))
    try await fuzz("history", [sound], change: { $0.bytes($1) }) { input in
      try Data(input).write(to: path)
      let nights = EarlierNights(root: folder.url, job: job)
      func tried(_ body: () throws -> Void) throws {
        do { try body() } catch let error as OfferliftError { _ = error }
      }
      try tried { _ = try nights.last(before: "2026-05-01") }
      try tried { _ = try nights.cutoffs(before: "2026-05-01") }
      try tried { _ = try nights.previous(to: "2026-05-01", cutoff: Instant(milliseconds: 1_777_593_600_000)) }
      try tried { _ = try nights.endedTests(before: "2026-05-01", metric: "revenue_net") }
      try tried { try Publisher(root: folder.url, job: job).preflight() }
    }
  }

  @Test("Tables of sufficient statistics")
  func statistics() async throws {
    let samples = [try Self.corpus("statistics.csv")]
    try await fuzz("statistics", samples, change: { $0.rows($1, cells: UInt8(ascii: ",")) }) { input in
      for rule in [nil, "sequential", "bayes"] as [String?] {
        var arguments = AnalyzeArguments(name: "statistics.csv")
        arguments.decideBy = rule
        do { _ = try AnalyzeReport(table: input, arguments: arguments) } catch is OfferliftError {}
      }
    }
  }
}
