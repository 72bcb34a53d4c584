import Analysis
import Domain
import Statistics

/// What a group's price is, how many pay it, and how that stands against the baseline's.
struct PricePoint {
  let group: StoryGroup
  let isBaseline: Bool
  let users: Int
  let payers: Int
  let conversion: Double?
  /// The reporting currency.
  let currency: String
  /// What payers paid first, on average, in units of the currency.
  let price: Double?
  /// What such a charge brings.
  let margin: Double?
  /// Against the baseline's: 0.2 is 20 % more.
  let priceChange: Double?
  let breakEven: Double?
  let breakEvenInterval: Interval?
  let payersLift: Double?
  let payersInterval: Interval?
  let state: PriceResponseRow.State?
  let elasticity: Double?
  let elasticityInterval: Interval?
  /// The share of payers by a curve that does not rise; nil of fewer than three prices.
  let demand: Double?
  let bestPrice: Double?
  let bestRange: Interval?
  let bestRefusal: BestPrice.Answer.Refusal?
}

extension PricePoint {
  /// The baseline first; none where groups sell at the same prices.
  static func all(in source: OfferingSource) -> [PricePoint] {
    source.rows(of: PriceResponseTable()).map { row in
      PricePoint(
        group: source.group(row.group), isBaseline: row.isBaseline ?? false, users: row.users ?? 0,
        payers: row.payers ?? 0, conversion: row.conversion, currency: source.currency, price: row.price,
        margin: row.margin, priceChange: row.priceChange, breakEven: row.breakEven,
        breakEvenInterval: row.breakEvenInterval, payersLift: row.payersLift, payersInterval: row.payersInterval,
        state: PriceResponseRow.State(rawValue: row.state), elasticity: row.elasticity,
        elasticityInterval: row.elasticityInterval, demand: row.demand, bestPrice: row.bestPrice,
        bestRange: row.bestRange, bestRefusal: BestPrice.Answer.Refusal(rawValue: row.bestRefusal))
    }
  }
}

extension PricePoint {
  /// `new_price charges 20 % more. It would earn less if more than 16.7 % of payers went; today 9 % fewer pay (22 % fewer
  /// to 5 % more), so the rise is not yet eaten.`
  var sentence: String {
    guard let change = priceChange, let state else { return "" }
    switch state {
    case .doNotTrust: return "\(charges(change)). Do not trust what it does: a check failed."
    case .tooEarly: return "\(charges(change)). Too few have paid yet to say what that does."
    case .earnsMore, .earnsLess, .open:
      guard let breakEven, let payersLift else { return "\(charges(change))." }
      return
        "\(charges(change)). \(condition(breakEven)); today \(fewer(payersLift)) pay\(range), \(outcome(state, breakEven))."
    }
  }

  /// `new_price charges 20 % more`.
  private func charges(_ change: Double) -> String {
    "\(group.inWords) charges \(change == 0 ? "as much" : fewer(change, "more", "less"))"
  }

  /// When it would earn less: a rise, or what works like one, loses payers; a cut has to bring them.
  private func condition(_ breakEven: Double) -> String {
    breakEven <= 0
      ? "It would earn less if more than \(Phrase.percent(-breakEven)) of payers went\(uncertain)"
      : "It would earn less unless at least \(Phrase.percent(breakEven)) more paid\(uncertain)"
  }

  /// Where the break-even itself may lie, where prices differ among the payers.
  private var uncertain: String {
    guard let interval = breakEvenInterval, interval.high - interval.low > 0.001 else { return "" }
    return
      " (which may be anything from \(fewer(interval.low)) to \(fewer(interval.high)), as payers pay different prices)"
  }

  private var range: String {
    payersInterval.map { " (\(fewer(max(-1, $0.low))) to \(fewer($0.high)))" } ?? ""
  }

  private func outcome(_ state: PriceResponseRow.State, _ breakEven: Double) -> String {
    switch (state, breakEven <= 0) {
    case (.earnsMore, true): "so the rise is not eaten: it earns more"
    case (.earnsMore, false): "so the cut pays: it earns more"
    case (.earnsLess, true): "so the rise is eaten: it earns less"
    case (.earnsLess, false): "so the cut does not pay: it earns less"
    default:
      (payersLift ?? 0) > breakEven
        ? "so it may earn more, and that is not settled" : "so it may earn less, and that is not settled"
    }
  }

  /// `9 % fewer`, `5 % more`, `as many`.
  private func fewer(_ change: Double, _ more: String = "more", _ less: String = "fewer") -> String {
    let size = Phrase.spoken(change)
    return change == 0 ? "as many" : "\(size) \(change > 0 ? more : less)"
  }
}
