import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Notifications without a token, and the calls that say whose transactions they tell of.
@Suite("Whose a sale is that a call sent")
struct BuyersOfCallsTests {
  private static let start: Int64 = 1_772_452_800_000  // 2026-03-02T12:00:00Z
  private static let day: Int64 = 86_400_000

  private func notification(
    _ type: String, _ id: Int, of chain: Int, day: Int64, token: String = "", _ more: String = ""
  ) -> String {
    let (time, account) = (Self.start + day * Self.day, token.isEmpty ? "" : #","appAccountToken":"\#(token)""#)
    return
      #"{"notificationType":"\#(type)","notificationUUID":"\#(type)-\#(id)-\#(day)","signedDate":\#(time),"data":{"environment":"Production","signedTransactionInfo":{"transactionId":"\#(id)","originalTransactionId":"\#(chain)","webOrderLineItemId":"9\#(id)","productId":"basic","purchaseDate":\#(time),"expiresDate":\#(time + 30 * Self.day),"type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","price":4990,"currency":"USD"\#(account)\#(more)}}}"#
  }

  private func call(_ user: String, _ time: String, _ receipt: String, left: Int) -> String {
    #"{"userId":"\#(user)","occurredAt":"\#(time)","endpoint":"/subscription/purchase","request":{"receipt_data":"\#(receipt)"},"response":{"success":true,"subscription":{"scan_credits_remaining":\#(left)}}}"#
  }

  private func asked(_ user: String, _ time: String, left: Int) -> String {
    #"{"userId":"\#(user)","occurredAt":"\#(time)","endpoint":"/user/subscription","response":{"is_active":true,"scan_credits_remaining":\#(left)}}"#
  }

  private var world: SourceWorld {
    var world = SourceWorld(
      "app-store-notifications",
      [
        notification("SUBSCRIBED", 100, of: 100, day: 0), notification("DID_RENEW", 101, of: 100, day: 20),
        notification("SUBSCRIBED", 200, of: 200, day: 1),
      ])
    world.add(
      "api-log",
      [
        asked("u1", march(1), left: 6), asked("u2", march(1), left: 6), call("u1", march(25), "101", left: 66),
        call("u2", march(4), "200", left: 36), call("u2", march(26), "100", left: 36), asked("u2", march(27), left: 30),
      ])
    world.world.assignments = ["u1,test,control,2026-03-01", "u2,test,b,2026-03-01"]
    world.world.metrics.append("{name: credits_balance, starting: 6, spent_by: scan, window: none, id: left}")
    world.world.productColumns = "product_id,duration_days,scan_credits"
    world.world.products = ["basic,30,30"]
    return world
  }

  @Test("Every way gives renewals to who sent one transaction first, and compares the credits that are left")
  func everyWay() async throws {
    try await world.everyWay().forEach { found, way in
      #expect(found.sums(3)?.sumY == 2, way)
      #expect(found.sums(3, group: "b")?.sumY == 1, way)
      #expect(found.sums(5)?.sumY == 66, way)
      #expect(found.sums(5, group: "b")?.sumY == 36, way)
      #expect(found.noticed["purchase_conflict "] == 1, way)
      let groups = found.offerings[0].groups.sorted { $0.id < $1.id }
      #expect(groups.map(\.id) == ["b", "control"], way)
      #expect(
        groups.map(\.tables.credits) == [
          CreditComparison(users: 1, compared: 1, differing: 1, largest: 6), CreditComparison(users: 1, compared: 1),
        ], way)
      #expect(groups.allSatisfy { $0.tables.failures.isEmpty }, way)
    }
  }

  @Test("What is told of one user has the notifications that name nobody")
  func explained() async throws {
    let folder = try TemporaryFolder()
    let job = try JobReader.read(try world.write(to: folder))
    let cutoff = try Instant("2026-04-01", timezone: .gmt)
    let trace = try await UserTracing(job: job, cutoff: cutoff, threads: 1).trace("u1")
    #expect(trace.rows.filter { $0.file == "log0.txt" }.map(\.line) == [1, 2])
    #expect(trace.rows.filter { $0.file == "log1.txt" }.map(\.line) == [1, 3])
    #expect(trace.user == "u1")
    #expect(trace.ids.contains("101"))
  }

  @Test("Without a store's log that may name nobody a log of calls names no buyers")
  func alone() throws {
    let folder = try TemporaryFolder()
    let job = try JobReader.read(try world.write(to: folder))
    #expect(job.purchases.map(\.joinsBuyers) == [true, true])
    #expect(job.purchases.allSatisfy { $0.reportsIdentities })
    var calls = SourceWorld("api-log", [])
    calls.add("events", [])
    let other = try JobReader.read(try calls.write(to: folder))
    #expect(other.purchases.allSatisfy { !$0.joinsBuyers && !$0.reportsIdentities })
  }
}
