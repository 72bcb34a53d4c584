import Foundation
import Synchronization
import Testing

@testable import Engine

@Suite struct EventChunksTests {
  @Test func `what a thread appends comes back by partition, in order`() {
    let chunks = EventChunks(partitions: 3)
    for number in 0..<5000 { chunks.append(record(number), to: number % 3) }
    for partition in 0..<3 {
      var times: [Int64] = []
      chunks.forEach(partition) { times.append($0.time) }
      #expect(times == (0..<5000).filter { $0 % 3 == partition }.map(Int64.init))
    }
  }

  @Test func `an abandoned file leaves nothing behind`() {
    let chunks = EventChunks(partitions: 1)
    chunks.append(record(1), to: 0)
    chunks.finishFile()
    for number in 2..<3000 { chunks.append(record(number), to: 0) }
    chunks.abandonFile()
    chunks.append(record(7), to: 0)
    var times: [Int64] = []
    chunks.forEach(0) { times.append($0.time) }
    #expect(times == [1, 7])
  }

  @Test func `threads may take and give back different partitions at once`() {
    for _ in 0..<100 {
      let chunks = EventChunks(partitions: 64)
      for number in 0..<4096 { chunks.append(record(number), to: number % 64) }
      let total = Mutex(Int64(0))
      DispatchQueue.concurrentPerform(iterations: 64) { partition in
        var sum: Int64 = 0
        chunks.forEach(partition) { sum += $0.time }
        chunks.release(partition)
        total.withLock { [sum] in $0 += sum }
      }
      #expect(total.withLock { $0 } == 4096 * 4095 / 2)
    }
  }

  private func record(_ number: Int) -> EventRecord {
    var event = PurchaseEvent()
    event.time = Int64(number)
    return EventRecord(event, file: 0)
  }
}
