import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// A row that ends before it starts says that nothing was ever charged, whatever older rows of its transaction said.
@Suite("Rows of no transaction")
struct VoidRowTests {
  private let older = ["updated_at": "2026-03-02 10:00:05"]
  private let void = ["updated_at": "2026-03-03 00:00:00", "end_time": "2026-03-01 22:00:00"]

  private func measure(_ rows: [[String: String]]) async throws -> RunMeasurement {
    try await SourceWorld("revenuecat-export", ExportRows.file(rows)).measure()
  }

  @Test("It takes back the older rows of its transaction, and none that is newer or another's")
  func revokes() async throws {
    for rows in [[older, void], [void, older]] {
      let found = try await measure(rows)
      #expect(found.cents[3] == 0 && found.setAside == [.duplicate: 1, .notMeasured: 1])
    }
    let newer = ["updated_at": "2026-03-04 00:00:00"]
    #expect(try await measure([void, newer]).cents[3] == 1)
    let other = older.merging(["renewal_number": "2"]) { $1 }
    #expect(try await measure([void, other]).cents[3] == 1)
  }

  @Test("It is no event of its own: the period before goes on")
  func noEvent() async throws {
    let renewal = void.merging([
      "store_transaction_id": "t2", "renewal_number": "2", "start_time": "2026-03-04 10:00:00",
    ]) { $1 }
    var world = SourceWorld("revenuecat-export", ExportRows.file([older, renewal]))
    world.world.metrics = ["{name: event_count, event: expire, window: none}", "{name: active_subscription}"]
    world.world.asOf = "2026-03-05"
    let found = try await world.measure()
    #expect(found.sums(0)?.sumY == 0 && found.sums(1)?.sumY == 1 && found.used == 1)
  }

  @Test("It counts by name whoever it is of, and a sandbox's stays one")
  func names() async throws {
    let stranger = void.merging(["rc_original_app_user_id": "nobody", "rc_last_seen_app_user_id_alias": "no one"]) {
      $1
    }
    let sandbox = void.merging(["is_sandbox": "true"]) { $1 }
    let found = try await measure([stranger, sandbox, older])
    #expect(found.setAside == [.notMeasured: 1, .sandbox: 1] && found.cents[3] == 1)
  }
}
