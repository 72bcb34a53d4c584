import Measurement
@testable import Engine
import Analysis
import Domain
import Foundation
import Jobs
import Platform
import Simulation

/// A seeded log with the tables and the job that go with it, as `offerlift simulate` makes them of a scenario of the
/// benchmarks; small enough to be made anew for each run, and read from memory.
final class Sample: Sendable {
  let job: Job
  let types: EventTypes
  let names = EventNames()
  private let folder: URL

  /// `nightly-5m.yml` of fewer users: JSON Lines, an event a line.
  static let nightly = Result { try Sample(of: "nightly-5m.yml", users: 4000, in: nil) }
  /// The same story of another scenario, in every format.
  static let csv = Result { try Sample(of: "feeds.yml", users: 4000, in: Feed("events-csv", ending: "csv")) }
  static let webhooks = Result {
    try Sample(of: "feeds.yml", users: 4000, in: Feed("revenuecat-webhooks", ending: "jsonl"))
  }
  static let notifications = Result {
    try Sample(
      of: "feeds.yml", users: 100, in: Feed("app-store-notifications", ending: "jsonl", form: ", form: signed"))
  }

  /// A log that the scenario writes beside the tables.
  struct Feed {
    let format: String
    let ending: String
    let form: String

    init(_ format: String, ending: String, form: String = "") {
      self.format = format
      self.ending = ending
      self.form = form
    }
  }

  private static let benchmarks = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  private init(of scenario: String, users: Int, in feed: Feed?) throws {
    let made = FileManager.default.temporaryDirectory
      .appendingPathComponent("stages-\(feed?.format ?? "events")-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    folder = made
    let write = { (text: String, name: String) in
      try Data(text.utf8).write(to: made.appendingPathComponent(name))
    }
    try write(Self.scenario(scenario, users: users, in: feed), "scenario.yml")
    try write(Self.job(reading: feed), "job.yml")
    _ = try Simulation.run(scenario: made.appendingPathComponent("scenario.yml").path, output: made.path)
    job = try JobReader.read(made.appendingPathComponent("job.yml").path)
    types = EventTypes(named: job.namedEventTypes)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// One shard of the purchase log, and fewer users.
  private static func scenario(_ name: String, users: Int, in feed: Feed?) throws -> String {
    let text = try String(contentsOf: benchmarks.appendingPathComponent(name), encoding: .utf8)
      .replacing(/(?m)^users: \d+/, with: "users: \(users)").replacing("purchases: 16", with: "purchases: 1")
    guard let feed else { return text }
    let path = "purchases-*.\(feed.ending).gz"
    return text + "outputs:\n  - {format: \(feed.format)\(feed.form), path: \(path), shards: 1}\n"
  }

  private static func job(reading feed: Feed?) throws -> String {
    let text = try String(contentsOf: benchmarks.appendingPathComponent("nightly.job.yml"), encoding: .utf8)
    guard let feed else { return text }
    let signed = feed.form.isEmpty ? "" : "\n    verify: true\n    root: test-root.pem"
    return text.replacing("purchases-*.jsonl.gz", with: "purchases-*.\(feed.ending).gz")
      .replacing("    format: events\n", with: "    format: \(feed.format)\(signed)\n")
  }

  // MARK: - The log

  /// The gzip file of the log.
  var packed: InputFile {
    get throws { try job.purchases[0].table.files(relativeTo: job.file)[0] }
  }

  /// The same, unpacked.
  func unpacked() throws -> InputFile {
    let path = folder.appendingPathComponent("unpacked").path
    if !FileManager.default.fileExists(atPath: path) {
      let source = try packed.open()
      var bytes: [UInt8] = []
      while case let next = try source.read(upTo: 1 << 20), !next.isEmpty { bytes += next }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    return InputFile(path: path, displayName: "unpacked")
  }

  /// What reads the log.
  var log: PurchaseLog {
    get throws { try PurchaseLog(job.purchases[0], of: job, types: types, names: names) }
  }

  /// The unpacked log as a table of some fields.
  func table(of fields: [String]) throws -> TableFile {
    TableFile(
      input: job.purchases[0].table, file: try unpacked(), fields: fields, isRequired: fields.map { _ in false },
      purchases: job.purchases[0].format, jobFile: "job.yml", onCorrupt: .fail)
  }

  /// Calls `body` with the first rows of the unpacked log, as many as a batch takes; they are cut into fields.
  func withFirstRows(of fields: [String], _ body: (RecordBatch) throws -> Void) throws {
    var table = try table(of: fields)
    table.limit = 1
    var isFirst = true
    _ = try table.read { batch, _ in
      if isFirst { try body(batch) }
      isFirst = false
    }
  }

  /// Calls `body` with the events of the first rows, which live as long as the call.
  func withFirstEvents(_ body: ([PurchaseEvent]) throws -> Void) throws {
    try withFirstRows(of: EventField.allCases.map(\.name)) { batch in
      var decoder = EventDecoder(input: job.purchases[0], types: types, names: names)
      var events: [PurchaseEvent] = []
      for row in 0..<batch.count where batch.isSound(row) {
        var event = PurchaseEvent()
        guard (try? decoder.decode(batch.fields(of: row), into: &event)) != nil else { continue }
        events.append(event)
      }
      try body(events)
    }
  }
}
