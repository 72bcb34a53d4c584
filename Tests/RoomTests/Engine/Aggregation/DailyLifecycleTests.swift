import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Simulation

/// Nights of metrics that look beyond their window: access ends and waits run out without an event.
@Suite struct DailyLifecycleTests {
  private static let metrics = [
    "trial_to_paid, window: 7d", "trial_to_paid, window: none, within: 3d, id: t",
    "trial_to_paid, window: 5d, immature: include, id: ti",
    "one_time_to_subscription, window: 4d, within: 7d", "renewal_rate, window: 14d",
    "renewal_rate, window: none, grace: 1d, id: r",
    "involuntary_churn, window: 21d", "involuntary_churn, window: none, id: i", "credits_granted, window: 9d",
    "credits_granted, window: none, id: c, cap: {percentile: 90}", "active_subscription", "set_to_renew", "mrr",
    "quantile, of: mrr, q: 0.5, id: q", "retention", "retention, where: {tiers: [basic]}, day: 10, id: s",
    "trial_to_paid, window: 6d, covariate: {lookback: 20d}, id: tc", "recovery_rate, window: 10d",
    "recovery_rate, window: none, id: rr", "revenue_net, window: 5d, covariate: {lookback: 15d}, id: nc",
    "revenue_net, window: none, id: n", "proceeds, window: 2d, id: p",
    "event_count, event: cancel, window: none, id: e",
  ]

  @Test("A night is the run at that night's T, by the clock alone too", arguments: 1...3 as ClosedRange<UInt64>)
  func nights(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let folder = try TemporaryFolder()
    let path = try Self.world(&dice).write(to: folder)
    let run = try await World.measure(path, asOf: "2026-05-02", threads: 2)
    let nights = try run.daily.nights()
    #expect(nights.count >= 50)
    var found: Set<String> = []
    for (night, daily) in nights.enumerated() where night % 5 == Int(seed) {
      let alone = try await World.measure(path, asOf: daily.asOf.rfc3339, threads: 1)
      let sums = Self.sums(daily.offerings)
      #expect(sums == Self.sums(alone.offerings), "seed \(seed), night \(daily.asOf.rfc3339)")
      found.insert(sums)
    }
    #expect(found.count >= 10, "the world hardly moves")
  }

  @Test("What a later copy tells is not known on the nights before it")
  func copies() async throws {
    let folder = try TemporaryFolder()
    var world = Life(events: []).world("name: active_subscription")
    let first = ["transactionId": "1"]
    world.events = [
      charge("weekly", march(2), "purchase", first),
      charge("weekly", march(12), "purchase", first.merging(["expiresDate": march(20)]) { $1 }),
      event("cancel", march(3)),
    ]
    let path = try world.write(to: folder)
    let run = try await World.measure(path, asOf: "2026-03-25", threads: 1)
    // The week ends on the 9th, until on the 12th a copy tells that access went on up to the 20th.
    let nights = try run.daily.nights()
    let active = nights.map { $0.offerings.first?.groups.first?.segments.first?.metrics[0]?.statistics.sumY == 1 }
    let days = nights.indices.filter { active[$0] }.map { $0 + 1 }
    #expect(days == Array(2...8) + Array(12...19))
    for daily in nights {
      let alone = try await World.measure(path, asOf: daily.asOf.rfc3339, threads: 1)
      #expect(Self.sums(daily.offerings) == Self.sums(alone.offerings), "night \(daily.asOf.rfc3339)")
    }
  }

  private static func sums(_ offerings: [OfferingMeasurement]) -> String {
    offerings.flatMap { offering in
      offering.groups.flatMap { group in
        (group.segments.first?.metrics ?? []).enumerated().map { index, metric in
          "\(group.id) \(index) \(metric?.statistics as Any) \(metric?.values as Any)"
        }
      }
    }.joined(separator: "\n")
  }

  /// Lives of every kind, from a seed.
  static func world(_ dice: inout Dice) -> World {
    var world = Life(events: []).world("")
    world.metrics = metrics.map { "{name: \($0)}" }
    world.assignments = (0..<40).flatMap { user in
      let times = dice.chance(0.15) ? [1 + dice.below(20), 1 + dice.below(28)] : [1 + dice.below(20)]
      return times.map {
        "u\(user),test,\(dice.pick(["control", "a"])),\(march($0, dice.pick(["00:00:00", "15:20:00"])))"
      }
    }
    world.events = (0..<260).map { number in line(number, &dice) }
    return world
  }

  /// One event; times repeat, so that some come at one instant.
  private static func line(_ number: Int, _ dice: inout Dice) -> String {
    let start: Int64 = 1_770_681_600_000  // 2026-02-10
    let hours = Int64(dice.below(80 * 24)) / 6 * 6
    let time = Instant(milliseconds: start + hours * 3_600_000).rfc3339
    let type = dice.pick([
      "purchase", "renewal", "renewal", "one_time_purchase", "trial_start", "refund", "refund_reversal", "cancel",
      "uncancel", "billing_retry", "billing_recovery", "expire", "extend", "paywall_view",
    ])
    let user = dice.below(44)
    var fields = ["userId": "u\(user)", "transactionId": "", "eventId": "e\(number)"]
    // A charge that another user's refund waits for is known on some nights alone.
    if EventType.builtIn[2...6].contains(type) { fields["transactionId"] = "\(user).\(dice.below(4))" }
    if type.hasPrefix("refund") { fields["price"] = dice.pick(["", "", "4", "30"]) }
    if EventType.builtIn[2...4].contains(type) { fields["price"] = dice.pick(["9.99", "0", "59.99"]) }
    fields["productId"] =
      type == "one_time_purchase"
      ? dice.pick(["pass", "coins", "pass?"]) : dice.pick(["weekly", "weekly", "monthly", "yearly", "odd"])
    if type == "extend" || dice.chance(0.3), !type.hasPrefix("refund") {
      let days = Int64(1 + dice.below(20))
      fields["expiresDate"] =
        Instant(milliseconds: start + hours * 3_600_000 + days * Instant.millisecondsPerDay).rfc3339
    }
    return event(type, time, fields)
  }
}
