import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("What files held that a run reads more than once")
struct EntriesInMemoryTests {
  private let fixture: StoreFixture
  private let retained = EntriesInMemory()

  init() throws { fixture = try StoreFixture() }

  /// What the log tells, and what came of reading it.
  private func read(isLast: Bool, asksForRows: Bool = false) throws -> [String] {
    let (log, file) = try fixture.log()
    var reported = ReportedEvents(asksForRows: asksForRows)
    let reading = try retained.read(file, number: 3, of: log, into: &reported, isLast: isLast)
    return reading.reported + reported.events + reported.transfers + reported.calls
  }

  @Test("The second time a file tells the same, and is not opened")
  func again() throws {
    let alone = try fixture.read()
    #expect(try read(isLast: false) == alone)
    try FileManager.default.removeItem(atPath: fixture.folder.path("log.jsonl"))
    #expect(try read(isLast: false) == alone)
    #expect(try read(isLast: true) == alone)
    #expect(throws: (any Error).self, "after the last time nothing is kept") { try read(isLast: true) }
  }

  @Test("A file that is read once is not kept")
  func once() throws {
    #expect(try read(isLast: true) == fixture.read())
    try FileManager.default.removeItem(atPath: fixture.folder.path("log.jsonl"))
    #expect(throws: (any Error).self) { try read(isLast: true) }
  }

  @Test("A row that is asked for is looked up in its file")
  func rows() throws {
    let alone = try fixture.read(asksForRows: true)
    _ = try read(isLast: false)
    #expect(try read(isLast: true, asksForRows: true) == alone)
  }

  @Test("A damaged file that is left out is read again")
  func corrupt() throws {
    let fixture = try StoreFixture(job: "on_corrupt: skip")
    try fixture.folder.write("log.jsonl", Gzip.member(StoreFixture.events.joined(separator: "\n").utf8).dropLast(5))
    let alone = try fixture.read()
    let (log, file) = try fixture.log()
    for isLast in [false, true] {
      var reported = ReportedEvents()
      let reading = try retained.read(file, number: 0, of: log, into: &reported, isLast: isLast)
      #expect(reading.reported + reported.events + reported.transfers + reported.calls == alone)
      #expect(!reading.isWhole)
    }
  }
}
