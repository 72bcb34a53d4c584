import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// A purchase log and an event store in a folder of the test's own.
final class StoreFixture {
  let folder: TemporaryFolder
  private let yaml: String
  private var made: (log: PurchaseLog, file: InputFile)?

  /// - Parameters:
  ///   - events: the log, JSON lines.
  ///   - keys: more keys of the input, `columns: {userId: id}`.
  ///   - job: more lines of the job file.
  init(_ events: [String] = StoreFixture.events, _ keys: String = "", job: String = "") throws {
    folder = try TemporaryFolder()
    try folder.write("log.jsonl", events.joined(separator: "\n") + "\n")
    yaml = """
      job: x
      population: logged
      purchases: {path: log.jsonl, format: events\(keys.isEmpty ? "" : ", " + keys)}
      metrics: [{name: exposure, window: none}]
      \(job)
      """
  }

  /// Charges, a refund of a part, a view, and rows that are not read.
  static let events = [
    line("purchase", ["transactionId": "7", "expiresDate": "2026-04-02T00:00:00Z"]),
    line("refund", ["transactionId": "7", "price": "2.50", "currency": "EUR"]),
    line("paywall_view", ["offeringId": "test", "testGroupId": "a"]),
    "{", line("nonsense"), line("purchase", ["price": "dear"]),
    line("one_time_purchase", ["userId": "é", "productId": "q", "currency": "JPY"]),
  ]

  private static func line(_ type: String, _ fields: [String: String] = [:]) -> String {
    let usual = [
      "userId": "u1", "eventType": type, "occurredAt": "2026-03-02T10:00:00.123Z", "productId": "p", "price": "9.99",
      "currency": "USD",
    ]
    let all = usual.merging(fields) { $1 }.sorted { $0.key < $1.key }
    return "{" + all.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
  }

  func store(maxBytes: Int64 = 1_000_000, isFresh: Bool = false) -> EventStore {
    let store = EventStore(folder: folder.url.appending(path: "state"), maxBytes: maxBytes, isFresh: isFresh)
    store.open()
    return store
  }

  /// The log as the job reads it.
  func log() throws -> (log: PurchaseLog, file: InputFile) {
    if let made { return made }
    try folder.write("job.yml", yaml)
    let job = try JobReader.read(folder.path("job.yml"))
    let input = try #require(job.purchases.first)
    let log = try PurchaseLog(
      input, of: job, types: EventTypes(named: job.namedEventTypes), names: EventNames())
    let file = try #require(try input.table.files(relativeTo: job.file).first)
    made = (log, file)
    return (log, file)
  }

  /// What the log tells, and what came of reading it; read by itself where there is no store.
  func read(_ store: EventStore? = nil, asksForRows: Bool = false) throws -> [String] {
    let (log, file) = try log()
    var reported = ReportedEvents(asksForRows: asksForRows)
    let reading = try store.map { try $0.read(file, of: log, into: &reported) } ?? log.read(file, into: &reported)
    return reading.reported + reported.events + reported.transfers + reported.calls
  }

  /// Names of the entries, and of what lies beside them.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("state/events")).filter { $0 != ".lock" }.sorted()
  }

  /// The one entry.
  func entry() throws -> URL {
    let names = try names()
    try #require(names.count == 1, "\(names)")
    return folder.url.appending(path: "state/events/\(names[0])")
  }

  /// Tells an entry from one that was put in its place.
  func identity(of entry: URL) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: entry.path)[.systemFileNumber] as? Int)
  }

  /// Reads the log with whatever the store has, expects what it tells by itself and one warning with these words, and
  /// that the entry is sound again.
  ///
  /// - Parameter alone: what the log tells by itself.
  func expectReadAnew(
    _ what: Comment, _ alone: [String], saying words: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let store = store()
    #expect(try read(store) == alone, what, sourceLocation: location)
    let warnings = store.drainWarnings()
    #expect(warnings.count == 1 && warnings[0].contains(words), "\(what): \(warnings)", sourceLocation: location)
    #expect(try read(store) == alone, what, sourceLocation: location)
    #expect(store.drainWarnings().isEmpty, what, sourceLocation: location)
  }
}
