import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// What names another subscription, by its first transaction, is not about this one.
@Suite("Subscriptions of one product")
struct SubscriptionChainTests {
  private let old = ["originalTransactionId": "o1", "transactionId": "t1"]
  private let new = ["originalTransactionId": "o2", "transactionId": "t2"]

  private func lifecycle(_ type: String, _ time: String, _ fields: [String: String]) -> String {
    event(type, time, ["productId": "monthly"].merging(fields) { $1 })
  }

  @Test("The end of an old one does not end a new one, and its own end does")
  func expire() async throws {
    let bought = [
      charge("monthly", "2026-01-02T12:00:00Z", "purchase", old), charge("monthly", march(10), "purchase", new),
    ]
    for (chain, state, monthly) in [("o1", "subscribed", Int128(1000)), ("o2", "expired", 0), ("", "expired", 0)] {
      let end = lifecycle("expire", march(15), ["originalTransactionId": chain])
      let standing = try await StandingOfUser.of(bought + [end], at: "2026-03-20", assigned: "2026-01-01")
      #expect(standing.state == state && standing.monthly == monthly, "\(chain)")
    }
  }

  @Test("Neither does an old one's cancellation, failed renewal or longer time change a new one")
  func others() async throws {
    let bought = [
      charge("monthly", "2026-01-02T12:00:00Z", "purchase", old), charge("monthly", march(2), "purchase", new),
    ]
    let off = ["originalTransactionId": "o1"]
    let cancel = lifecycle("cancel", march(5), off)
    #expect(try await StandingOfUser.of(bought + [cancel], at: "2026-03-20").renewing == 1)
    let retry = lifecycle("billing_retry", march(5), off)
    #expect(try await StandingOfUser.of(bought + [retry], at: "2026-03-20").state == "subscribed")
    let longer = lifecycle("extend", march(5), off.merging(["expiresDate": "2026-07-01"]) { $1 })
    #expect(try await StandingOfUser.of(bought + [longer], at: "2026-06-01").state == "expired")
    let own = ["originalTransactionId": "o2", "expiresDate": "2026-07-01"]
    #expect(try await StandingOfUser.of(bought + [lifecycle("extend", march(5), own)], at: "2026-06-01").active == 1)
  }

  @Test("An end is no involuntary churn of a failure in another subscription")
  func churn() async throws {
    let events = [
      charge("monthly", march(2), "purchase", old), lifecycle("billing_retry", "2026-04-02T12:00:00Z", old),
    ]
    for (chain, lost) in [("o1", Int128(1)), ("", 1), ("o2", 0)] {
      let end = lifecycle("expire", "2026-04-20T12:00:00Z", ["originalTransactionId": chain])
      let life = Life(events: events + [end])
      #expect(try await life.sums("name: involuntary_churn, window: none") == [lost, 1], "\(chain)")
    }
  }

  @Test("The end of another purchase of a pass is not this one's, and its own is")
  func pass() async throws {
    let bought = charge("pass", march(2), "one_time_purchase", old)
    for (chain, state) in [("o2", "one_time_access"), ("o1", "one_time_expired"), ("", "one_time_expired")] {
      let end = event("expire", march(3), ["productId": "pass", "originalTransactionId": chain])
      #expect(try await StandingOfUser.of([bought, end], at: march(4)).state == state, "\(chain)")
    }
    let unnamed = event("expire", march(3), ["originalTransactionId": "o1"])
    #expect(try await StandingOfUser.of([bought, unnamed], at: march(4)).state == "one_time_expired")
  }

  @Test("Of one subscription the first trial begins it, and what follows it free is that trial still")
  func trials() async throws {
    let first = event("trial_start", march(2), ["productId": "monthly", "originalTransactionId": "o1"])
    let changed = event("trial_start", march(10), ["productId": "yearly", "originalTransactionId": "o1"])
    #expect(
      try await Life(events: [first, changed]).sums("name: event_count, event: trial_start, window: none")[0] == 1)
    // Sixteen days from the first; fourteen of access from the change.
    let paid = charge("yearly", march(20), "renewal", old)
    #expect(try await Life(events: [first, changed, paid]).sums("name: trial_to_paid, window: none") == [0, 1])
    #expect(try await StandingOfUser.of([first, changed], at: march(20)).state == "in_trial")
    #expect(try await StandingOfUser.of([first, changed], at: march(25)).state == "trial_expired")
    let end = event("expire", march(12), ["productId": "yearly", "originalTransactionId": "o1"])
    #expect(try await StandingOfUser.of([first, changed, end], at: march(13)).state == "trial_expired")
    let another = event("trial_start", march(10), ["productId": "yearly", "originalTransactionId": "o2"])
    #expect(
      try await Life(events: [first, another]).sums("name: event_count, event: trial_start, window: none")[0] == 2)
  }

  @Test("A free month after payments is access and no charge")
  func freeMonth() async throws {
    let events = [
      event(
        "trial_start", "2026-01-02T12:00:00Z",
        ["productId": "monthly", "originalTransactionId": "o1", "expiresDate": "2026-01-16T12:00:00Z"]),
      charge("monthly", "2026-01-16T12:00:00Z", "renewal", old.merging(["expiresDate": "2026-02-16T12:00:00Z"]) { $1 }),
      event(
        "trial_start", "2026-02-16T12:00:00Z",
        ["productId": "monthly", "originalTransactionId": "o1", "expiresDate": "2026-03-16T12:00:00Z"]),
    ]
    let standing = try await StandingOfUser.of(events, at: "2026-03-05", assigned: "2026-01-01")
    #expect(standing.state == "in_trial" && standing.active == 0 && standing.renewed == [0, 1])
  }

  @Test("Google Play's numbers of renewals are no subscriptions of their own")
  func playOrders() {
    func chain(_ text: String) -> UInt32 { Array(text.utf8).withText { Fingerprint.chain($0) } }
    #expect(chain("GPA.3301-1111-1111-11111..0") == chain("GPA.3301-1111-1111-11111"))
    #expect(chain("GPA.3301-1111-1111-11111..12") == chain("GPA.3301-1111-1111-11111"))
    #expect(chain("GPA.3301-1111-1111-11111") != chain("GPA.3301-1111-1111-11112"))
    #expect(chain("2000..1") != chain("2000"))
    #expect(chain("") == 0 && chain("0") != 0 && chain("..0") != 0)
  }
}
