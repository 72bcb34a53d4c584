/// Purchase formats that tell a made-up test together.
struct Narrative: Sendable {
  var formats: [String]
  /// The figures of `truth.csv` that they tell.
  var figures = Narrative.sales
  /// Each row with a fault is set aside for the reason that `truth.csv` expects. An export's row stands for a transaction as
  /// it is by then, so another reason may come first.
  var reportsReasons = true

  private static let sales = ["charges", "credits", "gross", "net", "net_30d", "proceeds", "trials"]

  var name: String { formats.joined(separator: " + ") }

  private static let play = ["google-play-orders", "google-play-subscriptions", "google-play-notifications"]

  /// Every format, alone where it tells all, and two feeds that tell the same twice. RevenueCat's export has the proceeds of its
  /// own, and the API's log no sales.
  static let all = [
    Narrative(formats: ["events"], figures: sales + ["views"]),
    Narrative(formats: ["events-csv"], figures: sales + ["views"]), Narrative(formats: ["app-store-notifications"]),
    Narrative(formats: play),
    Narrative(
      formats: ["revenuecat-export"], figures: sales.filter { $0 != "proceeds" }, reportsReasons: false),
    Narrative(formats: ["revenuecat-webhooks"]), Narrative(formats: ["superwall-webhooks"]),
    Narrative(formats: ["adapty-export"]), Narrative(formats: ["stripe-events"]), Narrative(formats: ["ga4-export"]),
    Narrative(formats: ["api-log"], figures: ["views"]), Narrative(formats: ["stripe-events", "revenuecat-webhooks"]),
  ]

  private static let metrics = [
    "{name: charges, window: none, id: charges}", "{name: credits_granted, window: none, id: credits}",
    "{name: revenue_gross, window: none, id: gross}", "{name: revenue_net, window: none, id: net}",
    "{name: revenue_net, window: 30d, id: net_30d}", "{name: proceeds, window: none, id: proceeds}",
    "{name: event_rate, event: trial_start, window: none, id: trials}",
    "{name: event_rate, event: plan_view, window: none, id: views}",
  ]

  /// Rows with faults that each format can have, beside the honest ones.
  private static let dirt = [
    "copy", "retry", "restore", "older_snapshot", "sandbox", "family_shared", "after_cutoff", "orphan_refund",
    "not_measured",
    "missing_price", "malformed", "truncated", "invalid_utf8", "missing_field", "bad_time",
  ].map { "\($0): 0.02" }.joined(separator: ", ")

  /// Two groups, a month with a trial, a year, a day that does not renew; refunds whole and in part, and two currencies.
  var scenario: String {
    """
    seed: 20261126
    offering: {id: made_up}
    users: 1200
    old_clients: 0.05
    enrolment: {from: 2026-01-01, to: 2026-01-31}
    until: 2026-05-01
    currency: USD
    currencies: {USD: 0.5, JPY: 0.5}
    exchange_rates: {reporting: USD, rates: {JPY: "0.007"}}
    aliases: {share: 0.2, style: revenuecat}
    products:
      month: {kind: auto_renewable, type: monthly, price: "5.00", prices: {JPY: "700"}, period: P1M, trial: P7D, grace: P16D, credits: 30, tax_percent: 10, commission_percent: 15}
      year: {kind: auto_renewable, type: yearly, price: "49.99", prices: {JPY: "7000"}, period: P1Y, credits: 400, commission_percent: 30}
      day: {kind: non_renewing, type: one_time, price: "0.99", prices: {JPY: "150"}, period: P1D, commission_percent: 30}
    groups:
      control: {weight: 1, products: [{id: month, is_default: true}]}
      other: {weight: 1, products: [{id: month, is_default: true}]}
    dirt: {two_groups: 0.01}
    life:
      seen: {event: plan_view, after: 5s..1h, then: {bought: {control: 0.2, other: 0.3}, tried: 0.2, day: 0.1}}
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
      refunded: {event: refund, after: 1d..5d, state: refunded, then: {ended: 1}}
      part: {event: refund, part: 0.4, after: 1h..20h}
      old_client: {event: no_offering, after: 1s..2s}
    outputs:
    \(formats.map { "  - {format: \($0), server: plan, path: \($0).gz, dirt: {\(Self.dirt)}}" }.joined(separator: "\n"))
    truth:
      charges: {sum: charges}
      credits: {sum: credits}
      gross: {sum: gross}
      net: {sum: net}
      net_30d: {sum: net, window: 30d}
      proceeds: {sum: proceeds}
      trials: {did: [tried]}
      views: {did: [seen]}

    """
  }

  /// The job that measures what the scenario's files tell.
  var job: String {
    """
    job: selftest
    currency: USD
    max_reject_ratio: 1
    event_types: [plan_view, no_offering]
    assignments:
      - path: user_offering_assignments-*.csv.gz
        columns: {user: user_id, offering: offering_id, group: test_group_id, assigned_at: assigned_at}
    purchases:
    \(formats.map { "  - {path: \($0).gz, format: \($0)}" }.joined(separator: "\n"))
    products: products.csv
    identities: {path: identities.csv, columns: {alias: alias, user: user}}
    exchange_rates: exchange_rates.csv
    metrics:
    \(Self.metrics.map { "  - \($0)" }.joined(separator: "\n"))

    """
  }
}
