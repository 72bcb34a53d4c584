import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Simulation

/// Random lives, each user in a group of its own: every answer is the slow reading's, and none contradicts another.
@Suite struct LifeModelTests {
  private static let metrics = ["active_subscription", "set_to_renew", "mrr", "retention"]
  private static let users = 150
  private static let start: Int64 = 1_772_323_200_000  // 2026-03-01
  private static let day: Int64 = 86_400_000

  @Test(
    "States, retention, active subscriptions and revenue at the cut-off are one story",
    arguments: 1...6 as ClosedRange<UInt64>)
  func lives(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let cutoff = Self.start + Int64(20 + dice.below(90)) * Self.day
    let lives = (0..<Self.users).map { _ in Self.life(&dice, cutoff: cutoff) }
    let measured = try await Self.world(lives, &dice, cutoff: cutoff).measure(threads: 2)
    for (user, life) in lives.enumerated() {
      let about = "seed \(seed), user \(user): \(life.steps)"
      let group = try #require(measured.offering?.groups.first { $0.id == Identifier("g\(user)") })
      let metrics = try #require(group.segments.first?.metrics)
      let sums = metrics.map { $0?.statistics }
      let state = zip(UserState.allCases, group.tables.states).first { $1 == 1 }?.0.name
      let survival = metrics[3]?.values.lazy.compactMap { Survival($0) }.first
      #expect(state == life.state, "\(about)")
      #expect(sums[0]?.sumY == (life.isActive ? 1 : 0), "\(about)")
      #expect(sums[1]?.sumY == (life.isSetToRenew ? 1 : 0), "\(about)")
      #expect(sums[2]?.sumY == life.monthlyRevenue, "\(about)")
      #expect(survival == life.survival, "\(about)")
      let isActive = sums[0]?.sumY == 1
      switch state {
      case "subscribed": #expect(isActive && sums[1]?.sumY == 1, "\(about)")
      case "set_to_expire": #expect(isActive && sums[1]?.sumY == 0, "\(about)")
      case "billing_retry": break
      default: #expect(!isActive && sums[2]?.sumY == 0, "\(about)")
      }
      if let survival, !survival.isEnded { #expect(isActive, "\(about)") }
    }
  }

  @Test("The lives are of every kind")
  func kinds() {
    var dice = Dice(seed: 1)
    let lives = (0..<3000).map { _ in Self.life(&dice, cutoff: Self.start + 60 * Self.day) }
    #expect(Set(lives.map(\.state)) == Set(UserState.allCases.map(\.name)))
    let survivals = lives.compactMap(\.survival)
    #expect(survivals.contains { $0.isEnded && !$0.isRenewalMissed } && survivals.contains { $0.renewals > 1 })
  }

  // MARK: - Making

  private static func life(_ dice: inout Dice, cutoff: Int64) -> PlainLife {
    let assigned = start + Int64(dice.below(5)) * day
    let offsets = (0..<dice.below(10)).map {
      1000 * Int64(dice.below(Int(cutoff - start) / 1000 + 864_000)) + Int64($0)
    }
    let times = offsets.map { start - 10 * day + $0 }.filter { $0 < cutoff }.sorted()
    let favorite = dice.pick(["weekly", "weekly", "yearly", "odd"])
    var steps: [PlainLife.Step] = []
    for (number, time) in times.enumerated() { steps.append(step(number, time, favorite, steps, &dice)) }
    return PlainLife(steps: steps, cutoff: cutoff, assigned: assigned)
  }

  private static func step(
    _ number: Int, _ time: Int64, _ favorite: String, _ before: [PlainLife.Step], _ dice: inout Dice
  ) -> PlainLife.Step {
    var step = PlainLife.Step(
      time: time,
      type: dice.pick([
        "purchase", "renewal", "renewal", "one_time_purchase", "trial_start", "refund", "refund_reversal", "cancel",
        "uncancel", "billing_retry", "billing_recovery", "expire", "extend",
      ]))
    step.product = dice.chance(0.8) ? favorite : dice.pick(["weekly", "yearly", "odd"])
    if dice.chance(0.4) { step.end = time + Int64(1 + dice.below(30)) * day / 2 }
    switch step.type {
    case "purchase", "renewal": step.price = dice.pick([10, 10, 0])
    case "one_time_purchase": (step.product, step.price) = (dice.pick(["pass", "pass", "lamp"]), 3)
    case "refund", "refund_reversal":
      let charges = before.filter { $0.price > 0 }
      guard let charge = charges.isEmpty ? nil : dice.pick(charges) else {
        return PlainLife.Step(time: time, type: "cancel", product: step.product)
      }
      return PlainLife.Step(time: time, type: step.type, transaction: charge.transaction)
    case "extend":
      step.end = step.end ?? time + 9 * day
      step.product = dice.pick([step.product, "pass", ""])
    case "trial_start": break
    default: step.product = dice.pick([step.product, step.product, "pass", ""])
    }
    if step.product == "lamp" { step.end = nil }
    if step.type.hasSuffix("purchase") || step.type == "renewal" { step.transaction = number + 1 }
    if ["cancel", "uncancel", "billing_recovery", "expire"].contains(step.type) { step.end = nil }
    return step
  }

  private static func world(_ lives: [PlainLife], _ dice: inout Dice, cutoff: Int64) -> World {
    var world = Life(events: []).world("")
    world.metrics = metrics.map { "{name: \($0)}" }
    world.job = "baseline: g0"
    world.asOf = Instant(milliseconds: cutoff).rfc3339
    world.assignments = lives.enumerated().map { user, life in
      "u\(user),test,g\(user),\(Instant(milliseconds: life.assigned).rfc3339)"
    }
    world.events = lives.enumerated().flatMap { user, life in life.steps.map { line($0, user) } }
    world.events.shuffle(using: &dice)
    return world
  }

  private static func line(_ step: PlainLife.Step, _ user: Int) -> String {
    var fields = ["userId": "u\(user)", "productId": step.product]
    if let end = step.end { fields["expiresDate"] = Instant(milliseconds: end).rfc3339 }
    if step.transaction > 0 { fields["transactionId"] = "\(user)-\(step.transaction)" }
    if step.type.hasSuffix("purchase") || step.type == "renewal" { fields["price"] = "\(step.price)" }
    return event(step.type, Instant(milliseconds: step.time).rfc3339, fields)
  }
}
