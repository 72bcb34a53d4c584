@testable import Engine

/// Counts the events it is told, and keeps none.
struct CountingSink: EventSink {
  private(set) var events = 0

  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) { events += 1 }
  mutating func finishBatch() {}
  mutating func abandonFile() {}
  mutating func finishFile() {}
}
