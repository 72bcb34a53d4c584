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
  ///   - isRefused: the samples are files that are told from all others, and not read.
  ///   - change: makes an input of a sample.
  ///   - use: reads it, and says how much of it was understood; errors of the program's own are as they should be.
  private func fuzz(
    _ target: String, _ samples: [[UInt8]], isRefused: Bool = false, change: ([UInt8], inout Mutator) -> [UInt8],
    use: ([UInt8]) async throws -> Int
  ) async throws {
    // What is made up of samples that nothing reads would try nothing.
    var understood = 0
    for sample in samples {
      do { understood += try await use(sample) } catch  where isRefused && ReaderTarget.isExpected(error) {}
    }
    #expect(understood > 0 || isRefused, "\(target)")
    try await FuzzPlan.forEach(target, Self.few) { seed, trying in
      var mutator = Mutator(seed: seed)
      var input = samples[Int(seed % UInt64(samples.count))]
      for _ in 0...mutator.below(3) { input = change(input, &mutator) }
      try trying(input)
      do { _ = try await use(input) } catch  where ReaderTarget.isExpected(error) {}
    }
  }

  /// Tries inputs of a reader of files.
  private func fuzz(_ target: String, file: String, _ samples: [[UInt8]]) async throws {
    let reader = try #require(ReaderTarget(file))
    let folder = try TemporaryFolder()
    try reader.prepare(folder.url, sample: Self.corpus)
    try await fuzz(target, samples, isRefused: file == "dump.sql", change: reader.changed) {
      try await reader.use($0, in: folder.url)
    }
  }

  // MARK: - Purchases and assignments

  @Test("Every format of purchases", arguments: PurchaseCatalog.all.map(\.name))
  func purchases(format: String) async throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: repository.appending(path: "Tests/Fuzz/corpus").path)
    let name = try #require(files.first { $0.hasPrefix(format + ".") }, "no sample of \(format)")
    try await fuzz(format, file: name, [Self.corpus(name)])
  }

  @Test("Tables of assignments", arguments: ["assignments.csv", "assignments.tsv", "dump.sql"])
  func assignments(name: String) async throws {
    try await fuzz("assignments-\(name)", file: name, [Self.corpus(name)])
  }

  // MARK: - Containers

  @Test("What is packed", arguments: ["gzip", "zstd", "zip"])
  func packed(kind: String) async throws {
    let text = try Self.corpus("events.jsonl")
    switch kind {
    case "gzip":
      let samples = [
        Gzip.member(text), Gzip.member(text.prefix(700)) + Gzip.member(text.dropFirst(700)),
        Gzip.member(text, header: Gzip.Header(isText: true, extra: [1, 2, 3, 4], name: "x", comment: "y")),
      ]
      try await fuzz(kind, file: "events.jsonl.gz", samples)
    case "zstd":
      let samples = [
        Zstd.frame(text), Zstd.skippable([1, 2, 3]) + Zstd.frame(text, windowLog: 12) + Zstd.frame(text),
      ]
      try await fuzz(kind, file: "events.jsonl.zst", samples)
    default:
      var large = Zip.Member("a.jsonl", text)
      (large.method, large.isLarge) = (0, true)
      let samples = [
        Zip.archive([Zip.Member("a.jsonl", text), Zip.Member("b.jsonl", text.prefix(300))]), Zip.archive([large]),
      ]
      try await fuzz(kind, file: "events.zip", samples)
    }
  }

  @Test("Parquet")
  func parquet() async throws {
    try await fuzz("parquet", file: "table.parquet", WrittenFile.all.map { Array($0.bytes) })
  }

  // MARK: - Jobs, histories, statistics

  @Test("Job files")
  func jobs() async throws {
    let names = ["free-trial", "offering-price-test", "professional-plan", "three-day-access", "tiers-and-credits"]
    let samples = try names.map {
      Array(try Data(contentsOf: repository.appending(path: "jobs/\($0).yml")))
    }
    try await fuzz("job", file: "job.yml", samples)
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
    try await fuzz("history", [sound], change: { $1.bytes($0) }) { input in
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
      return 1
    }
  }

  @Test("Tables of sufficient statistics")
  func statistics() async throws {
    try await fuzz("statistics", file: "statistics.csv", [Self.corpus("statistics.csv")])
  }
}
