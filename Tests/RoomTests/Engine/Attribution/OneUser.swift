import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// Tests of what the events of one user come to.
protocol OneUser {}

extension OneUser {
  /// What the events of one user come to.
  func measure(_ events: [String], _ change: (inout World) -> Void = { _ in }) async throws -> RunMeasurement {
    var world = World()
    world.events = events
    change(&world)
    return try await world.measure()
  }

  /// Gross and net of the user in cents, whatever the order of the lines.
  func cents(_ events: [String]) async throws -> [Int128] {
    let forward = try await measure(events).money
    let backward = try await measure(events.reversed()).money
    #expect(forward == backward)
    return forward[...1].map { $0 / 10_000 }
  }

  func charge(_ id: String = "1", price: String = "10", at time: String = march(2)) -> String {
    event("purchase", time, ["transactionId": id, "price": price])
  }

  func refund(_ time: String, _ price: String = "", of id: String = "1", _ fields: [String: String] = [:])
    -> String
  {
    event("refund", time, ["transactionId": id, "price": price].merging(fields) { $1 })
  }

  func reversal(_ time: String, of id: String = "1") -> String {
    event("refund_reversal", time, ["transactionId": id])
  }
}
