import Foundation
import Testing

@testable import Engine
@testable import Measurement
@testable import Simulation

/// What is counted of a group beside its metrics, against numbers counted by hand.
@Suite("Tables of a group")
struct GroupTablesTests {
  /// The tables of the group `control`.
  private func tables(
    _ events: [String], users: Int = 1, asOf: String = "2026-06-01", _ change: (inout World) -> Void = { _ in }
  ) async throws -> GroupTables {
    var world = Life(events: events, asOf: asOf).world("name: exposure, window: none")
    world.assignments = (1...users).map { "u\($0),test,control,2026-03-01" }
    change(&world)
    let groups = try await world.measure().offering?.groups
    return try #require(groups?.first { $0.id == "control" }).tables
  }

  private func of(_ user: Int, _ event: String) -> String {
    event.replacing("\"userId\":\"u1\"", with: "\"userId\":\"u\(user)\"")
  }

  // MARK: - States

  private func state(_ events: [String], asOf: String = "2026-03-10") async throws -> String {
    let states = try await tables(events, asOf: asOf).states
    let backwards = try await tables(events.reversed(), asOf: asOf).states
    #expect(states == backwards)
    #expect(states.reduce(0, +) == 1)
    return zip(UserState.allCases, states).first { $1 == 1 }?.0.name ?? ""
  }

  private let weekly = charge("weekly", march(2), "purchase", ["transactionId": "1"])
  private let pass = charge("pass", march(8), "one_time_purchase")
  private let trial = event("trial_start", march(2), ["productId": "monthly"])

  @Test("A user is in one state, the first that fits")
  func states() async throws {
    #expect(try await state([]) == "never")
    #expect(try await state([event("paywall_view", march(2))]) == "never")
    #expect(try await state([weekly], asOf: "2026-03-09T12:00:00Z") == "billing_retry")
    #expect(try await state([weekly], asOf: "2026-03-09T11:59:59.999Z") == "subscribed")
    #expect(try await state([weekly], asOf: "2026-03-15T11:59:59.999Z") == "billing_retry")
    #expect(try await state([weekly], asOf: "2026-03-15T12:00:00Z") == "expired")
    #expect(try await state([weekly, event("cancel", march(3))], asOf: "2026-03-05") == "set_to_expire")
    #expect(try await state([weekly, event("cancel", march(3))], asOf: "2026-03-09T12:00:00Z") == "expired")
    #expect(try await state([weekly, event("refund", march(3), ["transactionId": "1"])]) == "refunded")
    #expect(try await state([pass]) == "one_time_access")
    #expect(try await state([pass], asOf: "2026-03-11T12:00:00Z") == "one_time_expired")
    #expect(try await state([trial]) == "in_trial")
    #expect(try await state([trial], asOf: "2026-03-16T12:00:00Z") == "trial_expired")
    #expect(try await state([trial], asOf: "2026-03-16T11:59:59.999Z") == "in_trial")
    #expect(try await state([trial, event("expire", march(2))]) == "trial_expired")
    #expect(try await state([trial, event("expire", march(1))]) == "in_trial")
  }

  @Test("A trial's end is the log's where it tells one, and open where nothing does")
  func trials() async throws {
    let reported = event("trial_start", march(2), ["productId": "monthly", "expiresDate": march(5)])
    #expect(try await state([reported]) == "trial_expired")
    let unknown = event("trial_start", march(2))
    #expect(try await state([unknown], asOf: "2030-01-01") == "in_trial")
  }

  @Test("A failed renewal is retried until it is recovered, charged or ended")
  func retries() async throws {
    let retry = event("billing_retry", march(3))
    #expect(try await state([weekly, retry]) == "billing_retry")
    // A store gives up after 60 days.
    #expect(try await state([weekly, retry], asOf: "2026-05-02T11:59:59.999Z") == "billing_retry")
    #expect(try await state([weekly, retry], asOf: "2026-05-02T12:00:00Z") == "expired")
    for end in ["billing_recovery", "expire"] {
      #expect(
        try await state([weekly, retry, event(end, march(3))], asOf: "2026-03-03T12:00:00.001Z") != "billing_retry")
    }
    #expect(
      try await state([weekly, retry, event("billing_recovery", march(2))], asOf: "2026-03-05") == "billing_retry")
    #expect(
      try await state([weekly, retry, charge("weekly", march(3), "renewal")], asOf: "2026-03-05") == "subscribed")
    #expect(try await state([retry]) == "billing_retry")
    // The week came last, so a year before it gives nothing beside the week's grace.
    #expect(try await state([charge("yearly", "2026-02-01T00:00:00Z"), weekly], asOf: "2026-03-11") == "billing_retry")
    let others = event("billing_retry", march(3), ["productId": "yearly"])
    #expect(try await state([weekly, others], asOf: "2026-03-05") == "subscribed")
    #expect(
      try await state([trial, event("billing_retry", "2026-03-16T12:00:00Z")], asOf: "2026-03-20") == "billing_retry")
    #expect(
      try await state([trial, event("billing_retry", "2026-03-16T12:00:00Z")], asOf: "2026-06-20") == "trial_expired")
  }

  @Test("Refunded is who has nothing left: an add-on taken back leaves a subscriber one")
  func refunded() async throws {
    let addOn = [
      charge("coins", march(4), "one_time_purchase", ["transactionId": "2"]),
      event("refund", march(5), ["transactionId": "2"]),
    ]
    #expect(try await state([weekly] + addOn, asOf: "2026-03-06") == "subscribed")
    #expect(try await state([weekly, event("cancel", march(3))] + addOn, asOf: "2026-03-06") == "set_to_expire")
    #expect(try await state([weekly, event("cancel", march(3))] + addOn, asOf: "2026-03-10") == "refunded")
    #expect(try await state([charge("lamp", march(2), "one_time_purchase")] + addOn) == "one_time_access")
    #expect(try await state(addOn) == "refunded")
  }

  @Test("The latest subscription decides where a user stands, and what names another product does not")
  func latest() async throws {
    let story = [
      charge("yearly", march(1)), charge("monthly", march(6)), event("cancel", march(21)),
      event("expire", "2026-04-06T12:00:00Z", ["productId": "monthly"]),
    ]
    #expect(try await state(story, asOf: "2026-04-05") == "set_to_expire")
    #expect(try await state(story, asOf: "2026-04-07") == "expired")
    let upgrade = [charge("monthly", march(1)), charge("yearly", march(6))]
    #expect(try await state(upgrade + [event("expire", march(7), ["productId": "monthly"])]) == "subscribed")
    #expect(try await state(upgrade + [event("cancel", march(7), ["productId": "monthly"])]) == "subscribed")
    #expect(try await state([trial, event("expire", march(4), ["productId": "pass"])]) == "in_trial")
    #expect(try await state([trial, event("expire", march(4), ["productId": "monthly"])]) == "trial_expired")
  }

  @Test("A trial that a charge has followed is over")
  func paidTrial() async throws {
    let unknown = event("trial_start", march(2))
    let paid = charge("weekly", march(3), "renewal")
    #expect(try await state([unknown, paid, event("expire", march(5))]) == "expired")
    #expect(try await state([paid, event("expire", march(5)), event("trial_start", march(6))]) == "in_trial")
  }

  @Test("One-time access lasts as long as its product, for ever, or not at all")
  func oneTime() async throws {
    func bought(_ product: String, _ fields: [String: String] = [:]) async throws -> String {
      try await state([charge(product, march(2), "one_time_purchase", fields)], asOf: "2026-05-01")
    }
    #expect(try await bought("coins") == "one_time_expired")
    #expect(try await bought("lamp") == "one_time_access")
    #expect(try await bought("pass") == "one_time_expired")
    #expect(try await bought("pass?") == "one_time_access")
    #expect(try await bought("pass?", ["expiresDate": march(9)]) == "one_time_expired")
    #expect(try await bought("pass", ["expiresDate": "2026-05-01T00:00:00.001Z"]) == "one_time_access")
    // An expiry that names the product ends it, an extension moves its end.
    let lamp = charge("lamp", march(2), "one_time_purchase")
    #expect(try await state([lamp, event("expire", march(3), ["productId": "lamp"])]) == "one_time_expired")
    #expect(try await state([lamp, event("expire", march(3), ["productId": "pass"])]) == "one_time_access")
    #expect(try await state([lamp, event("expire", march(3))]) == "one_time_access")
    #expect(try await state([lamp, event("expire", march(1), ["productId": "lamp"])]) == "one_time_access")
    #expect(try await state([pass, event("expire", march(9), ["productId": "pass"])]) == "one_time_expired")
    let longer = event("extend", march(9), ["productId": "pass", "expiresDate": march(20)])
    #expect(try await state([pass, longer], asOf: march(19)) == "one_time_access")
    #expect(try await state([pass, longer], asOf: march(20)) == "one_time_expired")
    #expect(
      try await state([trial, event("extend", march(9), ["expiresDate": march(20)])], asOf: march(19)) == "in_trial")
    // Neither a trial nor one-time access counts as a subscription; a subscription comes first.
    #expect(try await state([trial, pass]) == "one_time_access")
    #expect(try await state([weekly, pass], asOf: "2026-03-09") == "subscribed")
    #expect(try await state([weekly, pass, event("expire", march(7))], asOf: "2026-03-09") == "one_time_access")
  }

  @Test("What came before the assignment counts for where a user stands")
  func before() async throws {
    #expect(try await state([charge("yearly", "2025-06-01T00:00:00Z")]) == "subscribed")
    #expect(try await tables([weekly], users: 3, asOf: "2026-03-05").states == [0, 0, 0, 1, 0, 0, 0, 0, 0, 2])
  }

  // MARK: - Products

  @Test("What was bought since the assignment, by product: buyers once, parts refunded, money exact")
  func products() async throws {
    let events = [
      of(1, charge("weekly", march(2), "purchase", ["transactionId": "1", "price": "7.99"])),
      of(1, charge("weekly", march(9), "renewal", ["transactionId": "2", "price": "7.99"])),
      of(1, event("refund", march(10), ["transactionId": "2", "price": "1.99"])),
      of(1, charge("pass", march(9), "one_time_purchase", ["price": "2.99"])),
      of(2, charge("pass", march(3), "one_time_purchase", ["price": "2.99"])),
      of(2, charge("weekly", march(4), "purchase", ["price": "7.99"])),
      of(3, charge("weekly", "2026-02-28T23:59:59.999Z", "purchase", ["price": "7.99"])),
      of(3, charge("new", march(4), "purchase", ["price": "1"])),
      of(3, charge("new", march(4), "one_time_purchase", ["price": "2"])),
    ]
    for order in [events, events.reversed()] {
      let found = try await tables(order, users: 4).products.map { row in
        let sums = row.sums
        let counts = [sums.buyers, sums.charges, sums.refundedCharges, sums.firstBuyers]
        return "\(row.product) \(row.kind.rawValue) \(counts) \(sums.gross) \(sums.net) \(sums.proceeds)"
      }
      #expect(
        found == [
          "new auto_renewable [1, 1, 0, 1] 1000000 1000000 700000",
          "new non_renewing [1, 1, 0, 0] 2000000 2000000 1400000",
          "pass non_renewing [2, 2, 0, 1] 5980000 5980000 4186000",
          "weekly auto_renewable [2, 3, 1, 1] 23970000 21980000 15386000",
        ])
    }
  }

  // MARK: - Funnels

  private func funnel(_ events: [String], _ steps: String, _ within: String = "", users: Int = 1) async throws -> [Int]
  {
    try await counts(events, "steps: [\(steps)]\(within.isEmpty ? "" : ", within: \(within)")", users: users).users
  }

  private func counts(
    _ events: [String], _ funnel: String, users: Int = 1, asOf: String = "2026-06-01"
  ) async throws -> FunnelCounts {
    func reached(_ events: [String]) async throws -> FunnelCounts {
      try await tables(events, users: users, asOf: asOf) { $0.job = "funnels: [{name: f, \(funnel)}]" }.funnels[0]
    }
    let found = try await reached(events)
    #expect(try await reached(events.reversed()) == found)
    return found
  }

  @Test("A step may be any of several events, or any charge")
  func funnelChoices() async throws {
    let trialFirst = [
      event("trial_start", march(2), ["productId": "monthly"]), charge("monthly", march(16, "13:00:00"), "renewal"),
    ]
    #expect(try await funnel(trialFirst, "trial_start, purchase", "30d") == [1, 0])
    #expect(try await funnel(trialFirst, "trial_start, charge", "30d") == [1, 1])
    #expect(try await funnel(trialFirst, "trial_start, [purchase, renewal]", "30d") == [1, 1])
    #expect(try await funnel(trialFirst, "[trial_start, charge], charge, charge", "30d") == [1, 1, 0])
    let pass = [charge("pass", march(3), "one_time_purchase"), event("tap", march(2))]
    #expect(try await funnel(pass, "[tap, plan_view], charge", "30d") == [1, 1])
    #expect(try await funnel(pass, "{event: [tap, plan_view], only: [b]}, [renewal, purchase]", "30d") == [1, 0])
  }

  @Test("A user counts once the time of a first step is over")
  func funnelMaturity() async throws {
    let events = [event("plan_view", march(2)), charge("monthly", march(3)), event("plan_view", march(9))]
    func at(_ asOf: String) async throws -> FunnelCounts {
      try await counts(events, "steps: [plan_view, purchase], within: 2d", asOf: asOf)
    }
    #expect(try await at(march(4, "11:59:59.999")) == FunnelCounts(users: [0, 0], immature: 1))
    #expect(try await at(march(4)) == FunnelCounts(users: [1, 1]))
    // The later view is too young still; the earlier one counts.
    #expect(try await at(march(10)) == FunnelCounts(users: [1, 1]))
    #expect(try await counts(events, "steps: [plan_view, purchase]", asOf: march(3)) == FunnelCounts(users: [1, 0]))
  }

  @Test("Users are parted by what came between the first step and the second")
  func funnelSplits() async throws {
    func bought(_ user: Int, nudge: String?, charge at: String?) -> [String] {
      [
        of(user, charge("pass", march(2), "one_time_purchase")), nudge.map { of(user, event("nudge", $0)) },
        at.map { of(user, charge("monthly", $0)) },
      ].compactMap(\.self)
    }
    let events =
      bought(1, nudge: march(4), charge: march(5)) + bought(2, nudge: march(4), charge: nil)
      + bought(3, nudge: march(4), charge: march(3)) + bought(4, nudge: nil, charge: march(5))
      + bought(5, nudge: march(5), charge: march(5)) + bought(6, nudge: march(2), charge: nil)
      + bought(7, nudge: march(12), charge: nil) + bought(8, nudge: march(12, "12:00:00.001"), charge: nil)
    let found = try await counts(
      events, "steps: [one_time_purchase, purchase], within: 10d, split_by: nudge", users: 8)
    #expect(found == FunnelCounts(users: [8, 4], split: [3, 1]))
  }

  @Test("Each step comes strictly after the one before, all of them within the first's time")
  func funnelSteps() async throws {
    let steps = "plan_view, tap, purchase"
    let story = [
      event("plan_view", march(2, "10:00:00")), event("tap", march(2, "10:00:01")),
      charge("monthly", march(3, "10:00:00")),
    ]
    #expect(try await funnel(story, steps, "24h") == [1, 1, 1])
    #expect(try await funnel(story, steps, "1439m") == [1, 1, 0])
    #expect(try await funnel(story, steps) == [1, 1, 1])
    #expect(try await funnel([story[0], story[2]], steps, "24h") == [1, 0, 0])
    let atOnce = [story[0], event("tap", march(2, "10:00:00")), story[2]]
    #expect(try await funnel(atOnce, steps, "24h") == [1, 0, 0])
    #expect(try await funnel([story[1], story[2]], steps, "24h") == [0, 0, 0])
    let before = [event("plan_view", "2026-02-28T23:59:59.999Z"), event("tap", march(1))]
    #expect(try await funnel(before, steps, "24h") == [0, 0, 0])
  }

  @Test("The occurrence of the first step that leads furthest counts, and a user counts once")
  func funnelBest() async throws {
    let events = [
      of(1, event("plan_view", march(2))), of(1, event("tap", march(2, "13:00:00"))),
      of(1, event("plan_view", march(9))), of(1, event("tap", march(9, "13:00:00"))),
      of(1, charge("monthly", march(10, "11:00:00"))), of(2, event("plan_view", march(9))),
    ]
    #expect(try await funnel(events, "plan_view, tap, purchase", "24h", users: 3) == [2, 1, 1])
    #expect(try await funnel(events, "plan_view, plan_view", "7d", users: 3) == [2, 1])
    #expect(try await funnel(events, "plan_view, plan_view", "6d", users: 3) == [2, 0])
    #expect(try await funnel(events, "plan_view, plan_view, plan_view", "none", users: 3) == [2, 1, 0])
    #expect(try await funnel(events, "purchase", "24h", users: 3) == [1])
  }

  // MARK: - Failures

  @Test("Failures are counted by code, those without one too, over events, receipts and users")
  func failures() async throws {
    func failed(_ user: Int, _ time: String, _ code: String, _ receipt: String = "") -> String {
      of(user, event("validation_failed", time, ["errorCode": code, "transactionId": receipt]))
    }
    let events = [
      failed(1, march(2), "21003", "1"), failed(1, march(3), "21003", "1"), failed(1, march(4), "21003", "2"),
      failed(1, march(5), "21003"), failed(1, march(6), "21003"), failed(1, march(7), "21007", "1"),
      failed(2, march(2), "21003", "1"), failed(2, "2026-02-28T00:00:00Z", "21003", "9"),
      failed(3, march(2), ""), of(3, event("scan", march(2), ["errorCode": "E1"])),
    ]
    for order in [events, events.reversed()] {
      let found = try await tables(order, users: 3) { $0.job = "event_types: [validation_failed, scan]" }.failures
      #expect(
        found.map { "\($0.event) \($0.code) \($0.counts.events) \($0.counts.transactions) \($0.counts.users)" } == [
          "scan E1 1 1 1", "validation_failed  1 1 1", "validation_failed 21003 6 5 2", "validation_failed 21007 1 1 1",
        ])
    }
  }

  @Test("Of failures at one instant without an id the one with the smaller code is kept, in whatever order they came")
  func tiedFailures() async throws {
    let events = ["21007", "21003"].map { code in
      of(1, event("validation_failed", march(2), ["errorCode": code, "transactionId": "1"]))
    }
    for order in [events, events.reversed()] {
      let found = try await tables(order, users: 1) { $0.job = "event_types: [validation_failed]" }.failures
      #expect(found.map { "\($0.code) \($0.counts.events)" } == ["21003 1"])
    }
  }
}
