import Foundation
import Testing

@testable import Engine
@testable import Measurement

/// Whole lives, from seeds, in four formats, alone and together.
@Suite("One life in every purchase format")
struct LifeStoriesTests {
  private static let formats = ["events", "app-store-notifications", "revenuecat-webhooks", "revenuecat-export"]
  private static let subsets = (1..<16).map { bits in formats.indices.filter { bits >> $0 & 1 == 1 }.map { formats[$0] }
  }

  /// One store's feeds, and what tells of them beside.
  private static let play = ["google-play-orders", "google-play-subscriptions", "google-play-notifications"]
  private static let besidePlay = [
    [], ["events"], ["revenuecat-webhooks"], ["revenuecat-export"], ["events", "revenuecat-webhooks"],
  ]

  @Test(
    "Google Play's feeds come to the same together, and with those that tell of them",
    arguments: 1...24 as ClosedRange<UInt64>)
  func googlePlay(seed: UInt64) async throws {
    let life = ReportedLife(seed: seed)
    guard life.isOfGooglePlay else { return }
    let truth = try await measure(life, ["events"], seed)
    for beside in Self.besidePlay {
      let found = try await measure(life, Self.play + beside, seed)
      let differences = zip(found, truth).filter { $0 != $1 }
      #expect(differences.isEmpty, "seed \(seed), \(beside)")
    }
  }

  /// What every format can tell.
  private static let figures = [
    "{name: revenue_gross, window: none}", "{name: revenue_net, window: none}", "{name: proceeds, window: none}",
    "{name: charges, window: none}", "{name: refund_rate, window: none}", "{name: credits_granted, window: none}",
    "{name: event_count, event: trial_start, window: none, id: trials}", "{name: trial_to_paid, window: none}",
    "{name: renewal_rate, window: none}",
    "{name: involuntary_churn, window: none}", "{name: active_subscription}", "{name: set_to_renew}", "{name: mrr}",
    "{name: retention}",
  ]
  /// What an export does not tell: of cancellations the last, of refunds the sum, and no voluntary end.
  private static let counts = [
    "cancel", "uncancel", "billing_retry", "billing_recovery", "expire", "extend", "refund", "refund_reversal",
  ].map { "{name: event_count, event: \($0), window: none, id: \($0)}" }

  @Test("It comes to the same in each, in every pair, and in all", arguments: 1...14 as ClosedRange<UInt64>)
  func same(seed: UInt64) async throws {
    let life = ReportedLife(seed: seed)
    let truth = try await measure(life, ["events"], seed)
    for formats in Self.subsets {
      let found = try await measure(life, formats, seed)
      let isExportAlone = formats == ["revenuecat-export"]
      let count = isExportAlone ? Self.figures.count + 1 : found.count
      let differences = zip(found, truth).prefix(count).filter { $0 != $1 }
      #expect(differences.isEmpty, "seed \(seed), \(formats)")
    }
  }

  /// The state of the user, then numerator and denominator of every metric; files and lines are shuffled.
  private func measure(_ life: ReportedLife, _ formats: [String], _ seed: UInt64) async throws -> [String] {
    var dice = Dice(seed: seed &+ UInt64(formats.count) &* 1000)
    var world = SourceWorld()
    for format in formats.shuffled(using: &dice) {
      var lines = life.reported(in: format)
      let header = format == "revenuecat-export" ? [lines.removeFirst()] : []
      world.add(format, header + lines.shuffled(using: &dice))
    }
    world.world.asOf = ReportedLife.cutoff
    world.world.productColumns = "product_id,kind,period,trial,grace,tier,credits,commission_percent,tax_percent"
    world.world.products = ReportedLife.products
    world.world.metrics = Self.figures + Self.counts
    let found = try await world.measure()
    #expect(found.rejects.all.map(\.detail) == [])
    let states = zip(UserState.allCases, found.offerings[0].groups[0].tables.states).filter { $0.1 > 0 }
    return ["\(states.map(\.0))"]
      + world.world.metrics.enumerated().map { index, metric in
        let sums = found.sums(index)
        return "\(metric) \(sums?.sumY ?? -1) of \(sums?.sumX ?? -1)"
      }
  }
}
