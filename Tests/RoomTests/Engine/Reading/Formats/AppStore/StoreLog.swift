import Foundation

@testable import Application
@testable import Engine
@testable import Jobs
@testable import Measurement

/// An event as a test compares it.
struct ReportedEvent: Equatable {
  var type: String
  var user = "u1"
  var time: Int64
  var product = "p"
  var micros: Int64?
  var currency = ""
  var end: Int64?
  var isCompanion = false
  var isSandbox = false
  var isFamilyShared = false
}

/// What a log of a store's records comes to when it is read as the product reads it.
struct StoreLog {
  var events: [ReportedEvent] = []
  /// The events as they were handed on; their text is gone.
  var raw: [PurchaseEvent] = []
  var reading: FileReading

  /// - Parameters:
  ///   - options: more of the job's lines of the input.
  ///   - eventTypes: types the job names.
  init(
    _ lines: [String], format: String = "app-store-notifications", options: String = "", eventTypes: [String] = [],
    folder: TemporaryFolder? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    try folder.write("notifications.jsonl", lines.joined(separator: "\n"))
    try folder.write(
      "job.yml",
      """
      job: store
      population: logged
      event_types: [\(eventTypes.joined(separator: ", "))]
      purchases: {path: notifications.jsonl, format: \(format)\(options.isEmpty ? "" : ", \(options)")}
      metrics: [{name: charges, window: none}]
      """)
    let job = try JobReader.read(folder.path("job.yml"))
    let types = EventTypes(named: job.namedEventTypes)
    let names = EventNames()
    let log = try PurchaseLog(job.purchases[0], of: job, types: types, names: names)
    var sink = Sink(types: types, names: names)
    reading = try log.read(job.purchases[0].table.files(relativeTo: job.file)[0], into: &sink)
    reading.account.outcomes.use(sink.raw.count { !$0.isCompanion })
    events = sink.events
    raw = sink.raw
  }

  /// Why rows were rejected, by `reason: detail`.
  var faults: [String] { reading.rejects.all.map { "\($0.reason.rawValue): \($0.detail)" } }

  /// Counted names, `not_measured TEST`.
  var notes: [String: Int] {
    reading.notes.counts.reduce(into: [:]) { $0["\($1.key.kind.notice.rawValue) \($1.key.name)"] = $1.value }
  }

  private struct Sink: EventSink {
    let types: EventTypes
    let names: EventNames
    var events: [ReportedEvent] = []
    var raw: [PurchaseEvent] = []

    mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
      raw.append(event)
      let product = event.product == Interner.none ? "" : names.products.names[Int(event.product)].text
      events.append(
        ReportedEvent(
          type: types.names[Int(event.type.code)].text, user: String(decoding: event.user, as: UTF8.self),
          time: event.time, product: product, micros: event.amountMicros, currency: event.currency.text,
          end: event.end, isCompanion: event.isCompanion, isSandbox: event.isSandbox,
          isFamilyShared: event.isFamilyShared))
    }

    mutating func finishBatch() {}
    mutating func abandonFile() {}
    mutating func finishFile() {}
  }
}

extension World {
  /// The world's log as one of App Store notifications.
  func measureStore(_ lines: [String], options: String = "") async throws -> RunMeasurement {
    let folder = try TemporaryFolder()
    var world = self
    world.events = lines
    let path = try world.write(to: folder)
    let format = "format: app-store-notifications\(options.isEmpty ? "" : ", \(options)")"
    try folder.write("job.yml", world.yaml.replacingOccurrences(of: "format: events", with: format))
    return try await Self.measure(path, asOf: asOf, threads: 1)
  }
}
