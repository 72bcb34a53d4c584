import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// `within:` how long the higher tier may take to follow.
  private static let within = MetricOption.duration(
    "within", "how long it may take; 30 days unless said", usual: 30 * Instant.millisecondsPerDay)

  /// `tiers:` of products, from the lowest to the highest.
  private static let tiers = MetricOption<[Identifier]>(
    "tiers", "the tiers from the lowest up", .list(of: .name, atLeast: 2), isNeeded: true, usual: []
  ) { section, metric in
    let tiers = (section.texts("tiers") ?? []).map { Identifier($0) }
    if tiers.count < 2 || Set(tiers).count < tiers.count {
      section.problems.add(section.line, "\(metric) needs tiers:, each once, from the lowest to the highest.")
    }
    return tiers
  }

  /// Of the users who began below the highest of `tiers:` and whose `within` is over, those who in that time bought a
  /// subscription of a higher tier.
  ///
  /// Who had a subscription before the assignment did not begin after it, and is left out. The tiers are named from
  /// the lowest to the highest, for nothing in a products table says which is more.
  static let tierUp = MetricDefinition(
    name: "tier_up",
    meaning:
      "bought a subscription of a higher tier within the time; per user whose first subscription after the assignment was not of the highest tier and whose time is over",
    kind: .ratio, looksBeyondWindow: true, needsCharge: true, options: [within, tiers],
    perUser: .users(who: "move up a tier", did: "moved up a tier", ofThose: "of its subscribers below the highest tier")
    { $0.unusual(within) },
    wording: { request in
      let within = request.unusual(within)
      return MetricWording(
        "Subscribers who move up a tier\(within)", "moves", fewer: "of its subscribers up a tier\(within)")
    }
  ) { context in
    let within = context.request[within]
    let named = context.request[tiers]
    let levels = context.facts.tiers.map { tier in tier.flatMap { named.firstIndex(of: $0) } }
    let highest = named.count - 1
    return { user, window in
      let subscription = user.history.charges.first { $0.isAutoRenewable }
      guard let first = subscription, window.contains(first.time),
        context.products.contains(first.product, first.kind), let level = levels[Int(first.product)], level < highest
      else { return .zero }
      let due = first.time + within
      guard user.hasCome(due) else { return .zero }
      let isUp = context.isFollowed(first.time, upTo: due, by: user) { (levels[Int($0.product)] ?? -1) > level }
      return Quantity(y: isUp ? 1 : 0, x: 1)
    }
  }
}
