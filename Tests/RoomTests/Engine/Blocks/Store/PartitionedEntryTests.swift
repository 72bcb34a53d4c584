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
  private func read(_ store: EventStore) throws -> (told: [String], isKept: Bool) {
    let (log, file) = try fixture.log()
    var told = ToldEvents()
    var (reading, entry) = try store.find(file, of: log, orReadInto: &told)
    if let entry {
      do {
        for turn in 0..<PartitionedEntry.turns {
          try entry.tell(turn: turn, into: &told, booking: &reading.account.fates)
        }
        told.finishFile()
      } catch {
        store.refuse(entry, because: error)
        return (try read(store).told, false)
      }
    }
    return (reading.told + told.events + told.transfers + told.calls, entry != nil)
  }

  @Test("Turn by turn a file tells what it told when it was read")
  func turns() throws {
    let first = try read(fixture.store())
    #expect(first.told == alone && !first.isKept)
    let second = try read(fixture.store())
    #expect(second.told == alone && second.isKept)
  }

  @Test("Every flipped byte is noticed before or when its turn comes, and the file read anew")
  func flipped() throws {
    _ = try read(fixture.store())
    let entry = try fixture.entry()
    let sound = Array(try Data(contentsOf: entry))
    for place in sound.indices {
      var bytes = sound
      bytes[place] ^= UInt8(1 << (place % 8))
      try Data(bytes).write(to: entry)
      let store = fixture.store()
      let found = try read(store)
      #expect(found.told == alone && !found.isKept, "byte \(place)")
      #expect(store.takeWarnings().count == 1, "byte \(place)")
    }
  }
}
