import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("Entries of the event store, told partition of users by partition")
struct PartitionedEntryTests {
  private let fixture: StoreFixture
  private let alone: [String]

  init() throws {
    fixture = try StoreFixture()
    alone = try fixture.read()
  }

  /// What the log tells out of the store, and what came of reading it.
  private func read(_ store: EventStore) throws -> (reported: [String], isRetained: Bool) {
    let (log, file) = try fixture.log()
    var reported = ReportedEvents()
    var (reading, entry) = try store.find(file, of: log, orReadInto: &reported)
    if let entry {
      do {
        for turn in 0..<PartitionedEntry.turns {
          try entry.emit(turn: turn, into: &reported, recording: &reading.account.outcomes)
        }
        reported.finishFile()
      } catch {
        store.refuse(entry, because: error)
        return (try read(store).reported, false)
      }
    }
    return (reading.reported + reported.events + reported.transfers + reported.calls, entry != nil)
  }

  @Test("Turn by turn a file tells what it told when it was read")
  func turns() throws {
    let first = try read(fixture.store())
    #expect(first.reported == alone && !first.isRetained)
    let second = try read(fixture.store())
    #expect(second.reported == alone && second.isRetained)
  }

  @Test("Every flipped byte is noticed before or when its turn comes, and the file read anew")
  func flipped() throws {
    _ = try read(fixture.store())
    let entry = try fixture.entry()
    let sound = Array(try Data(contentsOf: entry))
    for position in sound.indices {
      var bytes = sound
      bytes[position] ^= UInt8(1 << (position % 8))
      try Data(bytes).write(to: entry)
      let store = fixture.store()
      let found = try read(store)
      #expect(found.reported == alone && !found.isRetained, "byte \(position)")
      #expect(store.drainWarnings().count == 1, "byte \(position)")
    }
  }
}
