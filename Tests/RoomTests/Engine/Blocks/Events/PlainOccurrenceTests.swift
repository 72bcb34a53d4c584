import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Occurrences that tell nothing beside")
struct PlainOccurrenceTests {
  /// What may be told of an occurrence beside when, who and what.
  private static let beside: [@Sendable (inout PurchaseEvent) -> Void] = [
    { $0.transaction = 7 }, { $0.code = 3 }, { $0.end = 9 }, { $0.isCompanion = true }, { $0.isRetold = true },
    { $0.isRecoveredByRenewal = true },
  ]

  private func view(_ dice: inout Dice) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = EventType(code: dice.chance(0.5) ? 0 : 7)
    event.time = Int64(dice.below(1 << 40))
    event.product = dice.chance(0.5) ? Interner.none : UInt32(dice.below(90))
    event.loggedOffering = dice.chance(0.5) ? Interner.none : UInt32(dice.below(3))
    event.loggedGroup = dice.chance(0.5) ? Interner.none : UInt32(dice.below(70))
    if dice.chance(0.5) { event.key = Fingerprint((1, UInt64(dice.below(.max)), 2), space: 3) }
    return event
  }

  @Test("Come out as they went in, whichever file they are of")
  func roundTrip() throws {
    var dice = Dice(seed: 4)
    let chunks = EventChunks(partitions: 1)
    let events = (0..<3000).map { (view(&dice), UInt32($0 / 1000)) }
    for (event, file) in events { chunks.append(RecordedEvent(event, file: file), to: 0, user: 2) }
    #expect(chunks[0].plainOccurrences.count == 3000)
    let found = PartitionEventIndex([chunks], partition: 0, userCount: 3).withEvents(ofUser: 2) {
      Array($0.occurrences)
    }
    #expect(found.count == 3000)
    for ((event, file), record) in zip(events, found) {
      #expect(record.repeats(OccurrenceRecord(event, file: file)) && record.time == event.time)
      #expect(record.head.file == file && record.head.user == 2 && record.isPlain)
    }
  }

  @Test("What tells more is kept whole", arguments: beside.indices)
  func whole(number: Int) {
    var dice = Dice(seed: 5)
    var event = view(&dice)
    Self.beside[number](&event)
    let chunks = EventChunks(partitions: 1)
    chunks.append(RecordedEvent(event, file: 1), to: 0, user: 0)
    #expect(chunks[0].plainOccurrences.count == 0)
    let found = PartitionEventIndex([chunks], partition: 0, userCount: 1).withEvents(ofUser: 0) {
      Array($0.occurrences)
    }
    #expect(found.first?.repeats(OccurrenceRecord(event, file: 1)) == true)
  }
}
