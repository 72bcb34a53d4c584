import Foundation
import Testing

@testable import Domain
@testable import Engine

@Suite("An event and its parts")
struct PurchaseEventTests {
  /// What lies in a part: its properties, where each begins and how many bytes it has.
  private struct Layout {
    let name: String
    var properties: [(name: String, start: Int, size: Int)] = []
    let size: Int

    init<Part: Gapless>(_ name: String, _ part: Part) {
      func size<Value>(of value: Value) -> Int { MemoryLayout<Value>.size }
      (self.name, self.size) = (name, MemoryLayout<Part>.size)
      var start = 0
      for (label, value) in Mirror(reflecting: part).children {
        properties.append((String((label ?? "").drop { $0 == "_" }), start, size(of: value)))
        start += size(of: value)
      }
    }
  }

  private static let layouts = [
    Layout("moment", EventMoment()), Layout("sale", EventSale()), Layout("rest", EventRest()),
    Layout("traits", EventTraits()),
  ]

  @Test("No part has a gap between its properties, or at its end: a property of eight bytes stands before smaller ones")
  func gaps() {
    for layout in Self.layouts {
      let filled = layout.properties.reduce(0) { $0 + $1.size }
      #expect(filled == layout.size, "\(layout.name): \(layout.size) bytes, of which its properties take \(filled)")
      #expect(layout.size % 8 == 0, "\(layout.name): \(layout.size) bytes; put in, or take out, a property that fills")
    }
    #expect(MemoryLayout<EventTraits>.offset(of: \.isShare) == MemoryLayout<EventTraits>.size - EventTraits.flagCount)
    #expect(MemoryLayout<PurchaseEvent>.size == 16 + Self.layouts.reduce(0) { $0 + $1.size })
  }

  @Test("What a sale and the rest begin with has no bits: an event that does not say it need not keep it")
  func blank() {
    #expect(EventSale().isBlank && EventRest().isBlank)
    let event = PurchaseEvent()
    #expect(event.amountMicros == nil && event.end == nil && event.transaction == nil && event.charged == nil)
    #expect(event.version == nil && event.reportedAt == nil && event.rowStart == nil && event.key == nil)
  }

  @Test("The page of the format has every property, where it lies and how long it is")
  func page() throws {
    let page = try String(contentsOf: repository.appending(path: "Sources/BLOCKS.md"), encoding: .utf8)
    for layout in Self.layouts {
      for (name, start, size) in layout.properties {
        let row = "| \(layout.name) | \(start) | \(size) | `\(name)` |"
        #expect(page.contains(row), "Sources/BLOCKS.md lacks \(row)")
      }
    }
  }

  @Test("Whatever an event says comes back from where a run keeps it, by its user and its kind", arguments: 1...20)
  func retained(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (names, types, arena) = (EventNames(), EventTypes(named: ["zoom"]), TextArena())
    let threads = (0..<2).map { _ in EventChunks(partitions: 1) }
    var expected: [[PurchaseEvent]] = [[], [], []]
    for number in 0..<300 {
      var event = RandomEvents.event(&dice, names, types, arena)
      (event.user, event.file) = (.empty, UInt32(number % 4))
      if event.type.isCharge, dice.chance(0.2) { event.reject = UInt32(number) }
      let user = dice.below(3)
      threads[number % 2].append(event, to: 0, user: UInt32(user))
      expected[user].append(event)
    }
    let index = PartitionEventIndex(threads, partition: 0, userCount: 3)
    for (user, expected) in expected.enumerated() {
      let found = index.withEvents(ofUser: user) { $0.events() }
      func isSame(_ left: PurchaseEvent, _ right: PurchaseEvent) -> Bool {
        left.repeats(right) && left.time == right.time && left.file == right.file
      }
      #expect(found.count == expected.count && found.allSatisfy { $0.userNumber == user })
      #expect(expected.allSatisfy { event in found.contains { isSame($0, event) } })
      index.withEvents(ofUser: user) { events in
        #expect(events.charges.allSatisfy { $0.type.isCharge && $0.reject == 0 })
        #expect(events.unpriced.allSatisfy { $0.type.isCharge && $0.reject != 0 })
        #expect(events.refunds.allSatisfy { $0.type.isRefund })
        #expect(events.occurrences.allSatisfy { !$0.type.isCharge && !$0.type.isRefund && $0.version == nil })
        #expect(events.snapshots.allSatisfy { !$0.type.isCharge && !$0.type.isRefund && $0.version != nil })
      }
    }
  }

  @Test("A paywall that was shown takes a moment, a charge its sale, and what few events say the rest")
  func widths() {
    let chunks = EventChunks(partitions: 1)
    var event = PurchaseEvent()
    chunks.append(event, to: 0, user: 0)
    (event.type, event.amountMicros) = (.purchase, 0)
    chunks.append(event, to: 0, user: 0)
    event.version = .max
    chunks.append(event, to: 0, user: 0)
    #expect(chunks[0].moments.count == 1 && chunks[0].sales.count == 1 && chunks[0].others.count == 1)
  }
}
