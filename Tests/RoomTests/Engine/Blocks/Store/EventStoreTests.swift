import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("The event store")
struct EventStoreTests {
  @Test("Out of the store a file tells what it told when it was read")
  func same() throws {
    let fixture = try StoreFixture()
    let alone = try fixture.read()
    #expect(try fixture.read(fixture.store()) == alone)
    let entry = try fixture.entry()
    let before = try fixture.identity(of: entry)
    let store = fixture.store()
    #expect(try fixture.read(store) == alone)
    #expect(try fixture.identity(of: entry) == before)
    #expect(store.drainWarnings().isEmpty)
  }

  @Test("A file is found again under another name, and not where a byte of it differs")
  func byContent() throws {
    let fixture = try StoreFixture()
    _ = try fixture.read(fixture.store())
    let text = try String(contentsOf: fixture.folder.url.appending(path: "log.jsonl"), encoding: .utf8)
    try FileManager.default.removeItem(atPath: fixture.folder.path("log.jsonl"))
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.path("log.jsonl"), withDestinationPath: fixture.folder.path("other"))
    try fixture.folder.write("other", text)
    _ = try fixture.read(fixture.store())
    #expect(try fixture.names().count == 1)
    try fixture.folder.write("other", text.replacingOccurrences(of: "9.99", with: "9.98"))
    #expect(try fixture.read(fixture.store()) == fixture.read())
    #expect(try fixture.names().count == 2)
  }

  @Test("What a job reads otherwise is read anew, and both are kept")
  func otherwise() throws {
    let fixture = try StoreFixture()
    _ = try fixture.read(fixture.store())
    for keys in [
      "columns: {productId: shop}", "decimal: \",\"", "defaults: {currency: EUR}", "time_unit: milliseconds",
    ] {
      let other = try StoreFixture(StoreFixture.events, keys)
      try FileManager.default.copyItem(atPath: fixture.folder.path("state"), toPath: other.folder.path("state"))
      let store = other.store()
      #expect(try other.read(store) == other.read(), "\(keys)")
      #expect(store.drainWarnings().isEmpty)
      #expect(try other.names().count == 2, "\(keys)")
    }
    let named = try StoreFixture(job: "event_types: [nonsense]")
    #expect(try named.log().log.fingerprint != fixture.log().log.fingerprint)
  }

  @Test("The population, dates, money and the place of the file change nothing that is kept")
  func indifferent() throws {
    let plain = try StoreFixture().log().log.fingerprint
    let other = try StoreFixture(
      StoreFixture.events, "optional: true",
      job:
        "new_customers_only: true\ncurrency: EUR\nenrolment: {from: 2026-03-01}\non_corrupt: skip\ntimezone: Europe/Berlin"
    )
    #expect(try other.log().log.fingerprint == plain)
  }

  @Test("A row that is asked for and was not kept is looked up in its file")
  func rows() throws {
    let fixture = try StoreFixture()
    _ = try fixture.read(fixture.store())
    let before = try fixture.identity(of: fixture.entry())
    let store = fixture.store()
    #expect(try fixture.read(store, asksForRows: true) == fixture.read(asksForRows: true))
    let after = try fixture.identity(of: fixture.entry())
    #expect(after != before)
    #expect(try fixture.read(store, asksForRows: true) == fixture.read(asksForRows: true))
    #expect(try fixture.identity(of: fixture.entry()) == after)
    #expect(store.drainWarnings().isEmpty)
  }

  @Test("A fresh run uses what it wrote itself, and nothing that was there")
  func fresh() throws {
    let fixture = try StoreFixture()
    _ = try fixture.read(fixture.store())
    let entry = try fixture.entry()
    try Data("nonsense".utf8).write(to: entry)
    let store = fixture.store(isFresh: true)
    #expect(try fixture.read(store) == fixture.read())
    let written = try fixture.identity(of: entry)
    #expect(try fixture.read(store) == fixture.read())
    #expect(try fixture.identity(of: entry) == written)
    #expect(store.drainWarnings().isEmpty)
  }

  @Test("A damaged file that is left out is not kept")
  func corrupt() throws {
    let fixture = try StoreFixture(job: "on_corrupt: skip")
    try fixture.folder.write("log.jsonl", Gzip.member(StoreFixture.events.joined(separator: "\n").utf8).dropLast(5))
    let store = fixture.store()
    #expect(try fixture.read(store) == fixture.read())
    #expect(try fixture.names().isEmpty)
    #expect(store.drainWarnings().isEmpty)
  }

  // MARK: - The folder

  @Test("What was not used for longest goes where the room is short")
  func trim() throws {
    let fixture = try StoreFixture()
    for number in 1...3 {
      try fixture.folder.write(
        "log.jsonl", StoreFixture.events.joined(separator: "\n") + String(repeating: "\n", count: number))
      _ = try fixture.read(fixture.store())
    }
    let entries = try fixture.names().map { fixture.folder.url.appending(path: "state/events/\($0)") }
    for (age, entry) in entries.enumerated() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9 - Double(age) * 1000)], ofItemAtPath: entry.path)
    }
    let bytes = try entries.map { try Data(contentsOf: $0).count }
    fixture.store(maxBytes: Int64(bytes.reduce(0, +))).trim()
    #expect(try fixture.names().count == 3)
    fixture.store(maxBytes: Int64(bytes[0] + bytes[1])).trim()
    #expect(try fixture.names() == entries.prefix(2).map(\.lastPathComponent))
    try fixture.folder.write("state/events/mine.blocks", "somebody else's")
    fixture.store(maxBytes: 1).trim()
    #expect(try fixture.names() == ["mine.blocks"])
  }

  @Test("An entry that is used is kept before one that is not")
  func use() throws {
    let fixture = try StoreFixture()
    _ = try fixture.read(fixture.store())
    let entry = try fixture.entry()
    let longAgo = Date(timeIntervalSince1970: 1e9)
    try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: entry.path)
    _ = try fixture.read(fixture.store())
    let used = try FileManager.default.attributesOfItem(atPath: entry.path)[.modificationDate] as? Date
    #expect(try #require(used) > longAgo)
  }

  @Test("What a run that died was writing goes with the next run, but not while another run writes")
  func leftovers() throws {
    let fixture = try StoreFixture()
    let other = fixture.store()
    try fixture.folder.write("state/events/.x.blocks.abc.new", "half")
    _ = fixture.store()
    #expect(try fixture.names() == [".x.blocks.abc.new"])
    withExtendedLifetime(other) {}
  }

  @Test("What a run that died was writing goes with the next run")
  func cleaned() throws {
    let fixture = try StoreFixture()
    try fixture.folder.write("state/events/.x.blocks.abc.new", "half")
    _ = try fixture.read(fixture.store())
    #expect(try fixture.names().map { $0.hasPrefix(".") } == [false])
  }

  @Test("Runs at once read and write the same entries")
  func together() async throws {
    let fixture = try StoreFixture()
    let alone = try fixture.read()
    let (log, file) = try fixture.log()
    let stores = (0..<4).map { _ in fixture.store() }
    let reported = try await withThrowingTaskGroup(of: [String].self) { group in
      for store in stores {
        group.addTask {
          var reported = ReportedEvents()
          let reading = try store.read(file, of: log, into: &reported)
          return reading.reported + reported.events + reported.transfers + reported.calls
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reported.allSatisfy { $0 == alone })
    #expect(stores.flatMap { $0.drainWarnings() }.isEmpty)
    #expect(try fixture.names().count == 1)
  }

  @Test("Where nothing can be written the run goes on, with one warning")
  func unwritable() throws {
    let fixture = try StoreFixture()
    try fixture.folder.write("state", "a file")
    let store = fixture.store()
    for _ in 0..<2 { #expect(try fixture.read(store) == fixture.read()) }
    #expect(store.drainWarnings().count == 1)
  }
}
