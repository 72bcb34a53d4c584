import Domain
import Statistics

/// Which of three or more prices earns most for each user.
///
/// The share of payers is read off a curve that does not rise with the price; the price that earns most is the one of
/// those that were tried at which share times margin is largest: what lies between or beyond them nobody has seen. Its
/// interval holds all tried prices that may be the best.
package struct BestPrice {
  /// The groups by rising price.
  private let groups: [SoldPrices]
  private let demands: [Double]
  private let answer: Answer

  /// What can be said of it.
  package enum Answer: Sendable, Hashable {
    /// The price in units of the currency, and the lowest and the highest that may be the best.
    case price(Double, among: Interval)
    case refused(Refusal)

    package enum Refusal: String, Sendable, CaseIterable {
      /// At some price there are fewer payers than a decision takes.
      case tooFewPayers = "too_few_payers"
      /// More buy at a higher price, beyond what chance explains: something else moves them.
      case demandRises = "demand_rises"
      /// A check failed.
      case doNotTrust = "do_not_trust"
    }
  }

  /// Nil of fewer than three prices.
  init?(_ response: PriceResponse) {
    groups = response.sold.filter { $0.price != nil && $0.users > 0 }
      .sorted { ($0.price?.mean ?? 0, $0.group) < ($1.price?.mean ?? 0, $1.group) }
    guard Self.distinct(groups.compactMap { $0.price?.mean }) >= 3 else { return nil }
    demands = MonotoneDemand.curve(
      demands: groups.map { $0.conversion ?? 0 }, weights: groups.map { Double($0.users) })
    answer = Self.answer(groups, demands, response)
  }

  /// Prices that are further apart than this part of them are two.
  private static let leastStep = 0.02

  private static func distinct(_ prices: [Double]) -> Int {
    prices.reduce(into: [Double]()) { found, price in
      if let last = found.last, price <= last * (1 + leastStep) { return }
      found.append(price)
    }.count
  }

  private static func answer(_ groups: [SoldPrices], _ demands: [Double], _ response: PriceResponse) -> Answer {
    if response.isUntrusted { return .refused(.doNotTrust) }
    let earned = groups.compactMap(\.earned)
    guard !SoldPrices.areThin(groups), earned.count == groups.count,
      let stays = BestOf.candidates(earned, options: response.options)
    else { return .refused(.tooFewPayers) }
    let earnings = zip(groups, demands).map { ($0.margin?.mean ?? 0) * $1 }
    let best = groups.indices.max { (earnings[$0], $1) < (earnings[$1], $0) } ?? 0
    guard stays[best] else { return .refused(.demandRises) }
    let prices = groups.indices.filter { stays[$0] }.compactMap { groups[$0].price?.mean }
    guard let price = groups[best].price?.mean, let low = prices.first, let high = prices.last,
      let among = Interval(low, high)
    else { return .refused(.tooFewPayers) }
    return .price(price, among: among)
  }

  /// Fills in what a group's row tells of it.
  func fill(_ row: inout PriceResponseRow) {
    row.best = answer
    row.demand = groups.firstIndex { $0.group == row.group }.map { demands[$0] }
  }
}
