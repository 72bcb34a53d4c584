import Domain
import Foundation
import Measurement
import Statistics

/// What an offering's prices do to the number of its payers, and whether that eats what they bring.
///
/// Everything is of first charges: what a user pays first, and how many do. The share of payers q and what a first charge
/// brings m (its price, less tax and commission where they are known, less its cost) make what a user brings, q·m; so a
/// change of price earns more while q₁/q₀ − 1 lies above the break-even m₀/m₁ − 1.
struct PriceResponse {
  /// What an offering's groups sell, the baseline among them.
  let sold: [SoldPrices]
  let baseline: Identifier
  let settings: AnalysisSettings
  /// A check failed.
  let isUntrusted: Bool

  /// A row for each group, the baseline's with its own figures alone.
  func rows(of offering: Identifier) -> [PriceResponseRow] {
    let best = BestPrice(self)
    return sold.map { group in
      var row = PriceResponseRow(offering: offering, group: group, isBaseline: group.group == baseline)
      if let own = sold.first(where: { $0.group == baseline }), own.group != group.group { compare(&row, own, group) }
      best?.fill(&row)
      return row
    }
  }

  private func compare(_ row: inout PriceResponseRow, _ own: SoldPrices, _ other: SoldPrices) {
    let prices = change(own.price, other.price)
    let margins = change(own.margin, other.margin)
    row.priceChange = prices?.change
    row.breakEven = margins.flatMap(Change.opposite)
    let payers = payersLift(own, other)
    row.payersLift = payers
    row.earnedLift = payers.flatMap { payers in margins.flatMap { payers.times($0) } }
    row.state = state(of: row, isThin: SoldPrices.areThin([own, other]))
    // Of prices that may be the same nothing is said of how much a change of price does.
    guard Self.areApart(own.price, other.price), let elasticity = Self.elasticity(own, other) else { return }
    row.elasticity = elasticity.value
    row.elasticityError = elasticity.standardError
    row.elasticityInterval = options.multiplier(users: Double(own.users + other.users), shareOfAlpha: shareOfAlpha)
      .flatMap { elasticity.interval(multiplier: $0) }
  }

  // MARK: - How it is decided

  var options: ComparisonOptions { settings.options(goal: .increase) }

  /// What is left of α among so many groups (Bonferroni).
  var shareOfAlpha: Double {
    settings.adjust == .none ? 1 : 1 / Double(max(1, sold.count - 1))
  }

  private func state(of row: PriceResponseRow, isThin: Bool) -> PriceResponseRow.State? {
    if isUntrusted { return .doNotTrust }
    if isThin { return .tooEarly }
    guard row.breakEven != nil, let interval = row.earnedLift?.interval else { return nil }
    return interval.low > 0 ? .earnsMore : interval.high < 0 ? .earnsLess : .open
  }

  /// How the share of payers differs.
  private func payersLift(_ own: SoldPrices, _ other: SoldPrices) -> Change? {
    guard let a = own.moments, let b = other.moments else { return nil }
    let comparison = Comparison(baseline: a, other: b, options: options)
    return comparison.relLift.map {
      Change(change: $0, interval: comparison.decidedRelInterval(shareOfAlpha: shareOfAlpha))
    }
  }

  /// How a mean above 0 differs from the other; exactly, where neither varies.
  private func change(_ own: MeanFrame?, _ other: MeanFrame?) -> Change? {
    guard let own, let other, own.mean > 0, other.mean > 0 else { return nil }
    let change = (other.mean - own.mean) / own.mean
    if own.squaredError == 0, other.squaredError == 0 {
      return Change(change: change, interval: Interval(change, change))
    }
    let comparison = Comparison(baseline: own, other: other, options: options)
    return Change(change: change, interval: comparison.decidedRelInterval(shareOfAlpha: shareOfAlpha))
  }

  /// Whether the mean prices differ by more than a single look's error at 95 %, so that a change can be shared out by them.
  private static func areApart(_ own: MeanFrame?, _ other: MeanFrame?) -> Bool {
    guard let own, let other else { return false }
    if own.squaredError == 0, other.squaredError == 0 { return own.mean != other.mean }
    return Comparison(baseline: own, other: other).pValue.map { $0 < 0.05 } ?? false
  }

  private static func elasticity(_ own: SoldPrices, _ other: SoldPrices) -> ArcElasticity? {
    let points = [own, other].compactMap { sold in
      sold.price.flatMap { price in
        ArcElasticity.Point(
          price: price.mean, priceVariance: price.squaredError ?? .nan, payers: Double(sold.payers),
          users: Double(sold.users))
      }
    }
    return points.count == 2 ? ArcElasticity(from: points[0], to: points[1]) : nil
  }
}

/// A relative change and where it may lie.
package struct Change: Sendable, Hashable {
  /// A part of what it is a change of: 0.1 is 10 % more.
  package var change: Double
  /// Nil where it is not known, or knows no end.
  package var interval: Interval?
}

extension Change {
  /// The change that undoes it: 1/(1 + x) − 1.
  fileprivate static func opposite(_ change: Change) -> Change? {
    func undone(_ change: Double) -> Double { 1 / (1 + change) - 1 }
    guard change.change > -1 else { return nil }
    let interval = change.interval.flatMap { $0.low > -1 ? Interval(undone($0.high), undone($0.low)) : nil }
    return Change(change: undone(change.change), interval: interval)
  }

  /// Both changes one after the other, whose errors have nothing to do with each other.
  ///
  /// The interval recovers their variances from their own intervals, on the scale of logarithms: Zou & Donner 2008,
  /// "Construction of confidence limits about effect measures: a general approach". Where the other change is exact, it is
  /// this one's interval carried over.
  fileprivate func times(_ other: Change) -> Change {
    let product = (1 + change) * (1 + other.change) - 1
    guard let own = interval, let others = other.interval else { return Change(change: product) }
    if others.low == others.high {
      let factor = 1 + other.change
      return Change(change: product, interval: Interval((1 + own.low) * factor - 1, (1 + own.high) * factor - 1))
    }
    guard change > -1, other.change > -1 else { return Change(change: product) }
    let low = Self.distance(change, own.low, other.change, others.low)
    let high = Self.distance(change, own.high, other.change, others.high)
    return Change(change: product, interval: Interval((1 + product) / low - 1, (1 + product) * high - 1))
  }

  /// By what factor the ends of two intervals together lie off the product; infinite where one lies at nothing.
  private static func distance(_ own: Double, _ ownEnd: Double, _ other: Double, _ otherEnd: Double) -> Double {
    guard ownEnd > -1, otherEnd > -1 else { return .infinity }
    let (a, b) = (log((1 + own) / (1 + ownEnd)), log((1 + other) / (1 + otherEnd)))
    return exp((a * a + b * b).squareRoot())
  }
}

/// What a group sells at, how many pay it, and how that stands against the baseline's.
package struct PriceResponseRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var isBaseline: Bool
  package var users: Int
  package var payers: Int
  package var conversion: Double?
  /// The mean of the payers' first charges, in units of the currency.
  package var price: Double?
  /// What such a charge brings.
  package var margin: Double?
  /// Against the baseline's price.
  package var priceChange: Double?
  /// How far the share of payers may change until the price has earned nothing; nil where a charge brings nothing.
  package var breakEven: Change?
  /// How the share of payers has changed.
  package var payersLift: Change?
  /// How what first charges bring for each user has changed.
  package var earnedLift: Change?
  /// Nil of the baseline, and where it cannot be said.
  package var state: State?
  package var elasticity: Double?
  package var elasticityError: Double?
  package var elasticityInterval: Interval?
  /// The share of payers at this price by a curve that does not rise; nil of fewer than three prices.
  package var demand: Double?
  /// What the best price is, among three or more.
  package var best: BestPrice.Answer?

  /// Where the payers stand against the break-even.
  package enum State: String, Sendable, CaseIterable {
    case earnsMore = "earns_more"
    case earnsLess = "earns_less"
    case open
    case tooEarly = "too_early"
    case doNotTrust = "do_not_trust"
  }

  fileprivate init(offering: Identifier, group sold: SoldPrices, isBaseline: Bool) {
    self.offering = offering
    self.isBaseline = isBaseline
    group = sold.group
    users = sold.users
    payers = sold.payers
    conversion = sold.conversion
    price = sold.price?.mean
    margin = sold.margin?.mean
  }
}

extension PriceResponseRow {
  /// The price that earns most, in units of the currency; nil where there are fewer than three, or it is not told.
  package var bestPrice: Double? { if case .price(let price, _) = best { price } else { nil } }
  /// The prices that may be the best.
  package var bestRange: Interval? { if case .price(_, let among) = best { among } else { nil } }
  /// Why no best price is told.
  package var bestRefusal: BestPrice.Answer.Refusal? { if case .refused(let why) = best { why } else { nil } }
}
