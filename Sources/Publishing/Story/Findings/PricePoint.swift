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
  /// What the money per user that leads the verdict comes to, renewals in its window among it; nil of the baseline.
  let money: Decision?
}

extension PricePoint {
  /// The baseline first; none where groups sell at the same prices.
  static func all(in source: OfferingSource) -> [PricePoint] {
    let leading = source.rows(of: ComparisonsTable()).filter {
      $0.segment == CellKey.everybody && $0.metric == source.lead
    }
    return source.rows(of: PriceResponseTable()).map { row in
      let money = leading.first { $0.group == row.group }.map { Decision(ofMoney: $0.decision) }
      return PricePoint(
        group: source.group(row.group), isBaseline: row.isBaseline ?? false, users: row.users ?? 0,
        payers: row.payers ?? 0, conversion: row.conversion, currency: source.currency, price: row.price,
        margin: row.margin, priceChange: row.priceChange, breakEven: row.breakEven,
        breakEvenInterval: row.breakEvenInterval, payersLift: row.payersLift, payersInterval: row.payersInterval,
        state: PriceResponseRow.State(rawValue: row.state), elasticity: row.elasticity,
        elasticityInterval: row.elasticityInterval, demand: row.demand, bestPrice: row.bestPrice,
        bestRange: row.bestRange, bestRefusal: BestPrice.Answer.Refusal(rawValue: row.bestRefusal),
        money: money)
    }
  }
}

extension PricePoint {
  /// Where the payers stand against the break-even, as far as the call says the same: of first charges alone nothing is
  /// called, as renewals may undo it.
  var settled: PriceResponseRow.State? {
    switch (state, money) {
    case (.earnsMore, .better), (.earnsLess, .worse): state
    case (.earnsMore, _), (.earnsLess, _): .open
    default: state
    }
  }

  /// `new_price's first charges are 20 % higher. They bring less if more than 16.7 % of payers go. Today 9 % fewer pay
  /// (22 % fewer to 5 % more): not settled.`
  var sentence: String {
    guard let change = priceChange, let state = settled else { return "" }
    switch state {
    case .doNotTrust: return "\(charges(change)). Do not act on it: a check failed."
    case .tooEarly: return "\(charges(change)). Too few have paid yet to say what that does."
    case .earnsMore, .earnsLess, .open:
      guard let breakEven, let payersLift else { return "\(charges(change))." }
      return
        "\(charges(change)). \(condition(breakEven)). Today \(fewer(payersLift)) pay\(range): \(outcome(state))."
    }
  }

  /// `new_price's first charges are 20 % higher`.
  private func charges(_ change: Double) -> String {
    "\(group.inWords)'s first charges are \(change == 0 ? "the same" : fewer(change, "higher", "lower"))"
  }

  /// When they bring less: a rise, or what works like one, loses payers; a cut has to bring them.
  private func condition(_ breakEven: Double) -> String {
    breakEven <= 0
      ? "They bring less if more than \(Phrase.percent(-breakEven)) of payers go\(uncertain)"
      : "They bring less unless at least \(Phrase.percent(breakEven)) more pay\(uncertain)"
  }

  /// Where the break-even itself may lie, where prices differ among the payers.
  private var uncertain: String {
    guard let interval = breakEvenInterval, interval.high - interval.low > 0.001 else { return "" }
    return " (\(fewer(interval.low)) to \(fewer(interval.high)))"
  }

  private var range: String {
    payersInterval.map { " (\(fewer(max(-1, $0.low))) to \(fewer($0.high)))" } ?? ""
  }

  private func outcome(_ state: PriceResponseRow.State) -> String {
    switch state {
    case .earnsMore: "it earns more"
    case .earnsLess: "it earns less"
    default: "not settled"
    }
  }

  /// `9 % fewer`, `5 % more`, `as many`.
  private func fewer(_ change: Double, _ more: String = "more", _ less: String = "fewer") -> String {
    let size = Phrase.spoken(change)
    return change == 0 ? "as many" : "\(size) \(change > 0 ? more : less)"
  }
}

extension Decision {
  /// The decision of money per user, which is `higher` and `lower` where the metric is only described.
  fileprivate init(ofMoney name: String) {
    switch name {
    case "higher": self = .better
    case "lower": self = .worse
    default: self.init(named: name)
    }
  }
}
