import Foundation
import Synchronization
import Testing

@testable import Engine
@testable import Measurement

@Suite struct EventChunksTests {
  @Test("what a thread appends comes back by partition and user, each kind by itself")
  func threadAppendsComes() {
    let chunks = EventChunks(partitions: 3)
    for number in 0..<5000 { append(number, to: chunks, partition: number % 3, user: UInt32(number % 7)) }
    for partition in 0..<3 {
      let events = PartitionEventIndex([chunks], partition: partition, userCount: 7)
      for user in 0..<7 {
        let own = (0..<5000).filter { $0 % 3 == partition && $0 % 7 == user }.map(Int64.init)
        events.withEvents(ofUser: user) { found in
          #expect(found.charges.map { $0.time } == own.filter { $0 % 4 == 0 })
          #expect(found.refunds.map { $0.time } == own.filter { $0 % 4 == 1 })
          #expect(found.occurrences.map { $0.time } == own.filter { $0 % 4 == 2 })
          #expect(found.snapshots.map { $0.time } == own.filter { $0 % 4 == 3 })
          #expect(found.events().map { $0.time }.sorted() == own && found.count == own.count)
        }
      }
    }
  }

  @Test("a charge without an exchange rate is kept apart, with the number of its reject")
  func chargeWithoutExchange() {
    let chunks = EventChunks(partitions: 1)
    var charge = PurchaseEvent()
    charge.type = .renewal
    charge.time = 5
    (charge.file, charge.reject) = (3, 13)
    chunks.append(charge, to: 0, user: 0)
    PartitionEventIndex([chunks], partition: 0, userCount: 1).withEvents(ofUser: 0) { events in
      #expect(events.charges.isEmpty && events.unpriced.allSatisfy { $0.reject == 13 } && events.unpriced.count == 1)
      #expect(events.unpriced.first?.file == 3 && events.firstCharge == 5)
    }
  }

  @Test("an abandoned file leaves nothing behind")
  func abandonedFileLeaves() {
    let chunks = EventChunks(partitions: 1)
    append(0, to: chunks, partition: 0, user: 0)
    chunks.finishFile()
    for number in 1..<5000 { append(number, to: chunks, partition: 0, user: 0) }
    chunks.abandonFile()
    append(8, to: chunks, partition: 0, user: 0)
    PartitionEventIndex([chunks], partition: 0, userCount: 1).withEvents(ofUser: 0) { events in
      #expect(events.charges.map { $0.time } == [0, 8] && events.count == 2)
    }
  }

  @Test("threads may take and give back different partitions at once")
  func threadsMayAccept() {
    for _ in 0..<100 {
      let chunks = EventChunks(partitions: 64)
      for number in 0..<4096 { append(number, to: chunks, partition: number % 64, user: 0) }
      let total = Mutex(Int64(0))
      DispatchQueue.concurrentPerform(iterations: 64) { partition in
        let sum = PartitionEventIndex([chunks], partition: partition, userCount: 1).withEvents(ofUser: 0) {
          $0.events().reduce(0) { $0 + $1.time }
        }
        total.withLock { $0 += sum }
      }
      #expect(total.withLock { $0 } == 4096 * 4095 / 2)
    }
  }

  /// Appends an event whose kind and time follow from its number.
  private func append(_ number: Int, to chunks: EventChunks, partition: Int, user: UInt32) {
    var event = PurchaseEvent()
    event.time = Int64(number)
    switch number % 4 {
    case 0: event.type = .purchase
    case 1: event.type = .refund
    case 2: event.type = .cancel
    default:
      event.type = .expire
      event.version = 1
    }
    chunks.append(event, to: partition, user: user)
  }
}
