import Foundation

@testable import Domain
@testable import Simulation

/// A small story for tests, and what its parts make of it.
enum StoryWorld {
  /// Two groups, a month with a trial, a day that does not renew, and every way on from there.
  static let yaml = """
    seed: 11
    offering: {id: test}
    users: 3000
    old_clients: 0.05
    enrolment: {from: 2026-01-01, to: 2026-01-31}
    until: 2026-05-01
    currency: USD
    currencies: {USD: 0.5, JPY: 0.5}
    exchange_rates: {reporting: USD, rates: {JPY: "0.007"}}
    aliases: {share: 0.2, style: revenuecat}
    products:
      month: {kind: auto_renewable, type: monthly, price: "4.99", prices: {JPY: "700"}, period: P1M, trial: P7D, grace: P16D, credits: 30, tax_percent: 10, commission_percent: 15}
      year: {kind: auto_renewable, type: yearly, price: "49.99", prices: {JPY: "7000"}, period: P1Y, credits: 400, commission_percent: 30}
      day: {kind: non_renewing, type: one_time, price: "0.99", prices: {JPY: "150"}, period: P1D, commission_percent: 30}
    groups:
      control: {weight: 1, products: [{id: month, is_default: true}]}
      other: {weight: 1, products: [{id: month, is_default: true}]}
    dirt: {two_groups: 0.01}
    life:
      seen: {event: plan_view, after: 5s..1h, then: {bought: {control: 0.2, other: 0.3}, tried: 0.2, day: 0.1}, also: {seen_again: 0.5}}
      seen_again: {event: plan_view, after: 1d..2d}
      bought: {event: purchase, product: month, after: 1m..2h, state: subscribed, also: {part: 0.1}, then: {upgraded: 0.2, renewed: 0.4, cancelled: 0.1, failed: 0.1, refunded: 0.2}}
      tried: {event: trial_start, product: month, after: 1m..2h, state: in_trial, then: {renewed: 0.5, over: 0.5}}
      over: {from: period_end, state: trial_expired}
      day: {event: one_time_purchase, product: day, after: 1m..2h, state: one_time_access, then: {day_over: 1}}
      day_over: {from: period_end, state: one_time_expired}
      upgraded: {event: purchase, product: year, after: 1d..9d, state: subscribed}
      renewed: {event: renewal, from: period_end, state: subscribed, then: {cancelled: 1}}
      cancelled: {event: cancel, after: 1d..9d, state: set_to_expire, then: {ended: 1}}
      ended: {event: expire, from: period_end, state: expired}
      failed: {event: billing_retry, from: period_end, state: billing_retry, then: {recovered: 1}}
      recovered: {event: recovery, after: 1d..2d, state: subscribed}
      refunded: {event: refund, after: 1d..5d, state: refunded, then: {reversed: 0.5}}
      reversed: {event: refund_reversal, after: 1d..5d, state: subscribed, then: {ended: 1}}
      part: {event: refund, part: 0.4, after: 1h..20h}
      old_client: {event: no_offering, after: 1s..2s}
    outputs:
      - {format: events, path: events.jsonl.gz}
      - {format: events-csv, path: events.csv.gz}
      - {format: app-store-notifications, path: notifications.jsonl.gz}
      - {format: revenuecat-export, path: transactions.csv.gz}
      - {format: revenuecat-webhooks, path: webhooks.jsonl.gz}
      - {format: superwall-webhooks, path: superwall.jsonl.gz}
      - {format: adapty-export, path: adapty.csv.gz}
      - {format: ga4-export, path: ga4.jsonl.gz}
      - {format: api-log, server: offerings, path: api-log.jsonl.gz}
    truth:
      paid_7d: {did: [bought], window: 7d}
      trial_to_paid: {of: [tried], did: [renewed], within: 16d}
      net_30d: {sum: net, window: 30d}
      credits: {sum: credits, window: 30d}

    """

  /// Lets everybody spend credits.
  static let spending = (
    from: "aliases:", to: "credits: {starting: 6, spent_by: scan, all: 0.5, none: 0.2, within: 20d}\naliases:"
  )

  /// The story's scenario with some of its text replaced.
  static func scenario(_ changes: [(from: String, to: String)] = []) throws -> Scenario {
    let text = changes.reduce(yaml) { $0.replacing($1.from, with: $1.to) }
    return try Scenario(yaml: text, file: "story.yml")
  }

  static func context(_ changes: [(from: String, to: String)] = []) throws -> StoryContext {
    let scenario = try scenario(changes)
    guard let story = scenario.story else { throw OfferliftError(.badJobFile, "no life") }
    return StoryContext(scenario: scenario, story: story, names: StoryNames(scenario, story))
  }

  /// The lives of the first users, old clients' too.
  static func lives(_ context: StoryContext, count: Int = 3150) -> [StoryLife] {
    (0..<count).map { StoryLife(of: Person($0, in: context.scenario), in: context) }
  }

  /// The rows that a format writes of a life, as JSON objects.
  static func objects(_ format: any StoryFormat, _ events: [StoryEvent]) throws -> [[String: Any]] {
    try events.filter(format.reports).compactMap { event in
      var bytes: [UInt8] = []
      try format.write([event], to: &bytes)
      return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    }
  }
}
