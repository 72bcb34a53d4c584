import Domain
import Jobs
import Measurement

extension PriceDifference {
  /// Which groups sell other products than the baseline, or at other prices; none where none is known to.
  static func pairs(
    of offering: Identifier, _ groups: [GroupMeasurement], _ catalog: Catalog, _ job: Job
  ) -> [PricedApart] {
    let ids = groups.map(\.id).sorted()
    let named = BaselineRule(job: job).baseline(of: offering, among: ids)
    guard let baseline = groups.first(where: { $0.id == named }) else { return [] }
    return groups.filter { $0.id != baseline.id }.compactMap { group in
      Self(of: offering, group, baseline, catalog, job).map { PricedApart(group: group.id, difference: $0) }
    }.sorted { $0.group < $1.group }
  }

  /// The difference of two groups; nil where none is known.
  ///
  /// Where a catalog that is there to tell what groups sell says nothing of them, charges alone say nothing, either: another
  /// product that is selected beforehand makes another mix of the same.
  private init?(
    of offering: Identifier, _ group: GroupMeasurement, _ baseline: GroupMeasurement, _ catalog: Catalog, _ job: Job
  ) {
    let pair = [group.id, baseline.id]
    if let reporting = Currency(Array(job.currency.utf8)),
      catalog.pricesDiffer(in: offering, among: pair, reporting: reporting)
    {
      self = .displayed
      return
    }
    let isSilent = job.catalog?.isOfProducts == true && !catalog.reportsProducts(of: offering)
    guard !isSilent, !catalog.reportsPrices(of: offering, among: pair),
      ChargedPrices(group.tables).differ(from: ChargedPrices(baseline.tables))
    else { return nil }
    self = .charged
  }
}

/// What a group's users were charged, product by product.
struct ChargedPrices {
  private var charges: [Identifier: Int] = [:]
  /// What stands for the price of each product that has one.
  private let prices: [Identifier: Int64]
  private var allCharges = 0
  /// The products that are bought often.
  private let common: Set<Identifier>
  /// Of fewer charges nothing is shown, and a log whose product ids are rubbish may have millions of them.
  private static let fewestCharges = 10
  /// A product that is more of a group's charges is sold there, and merely bought less.
  private static let mostOfOldClients = 0.05

  init(_ tables: GroupTables) {
    prices = Dictionary(tables.prices.map { ($0.product, $0.price) }) { first, _ in first }
    for product in tables.products {
      charges[product.product, default: 0] += product.sums.charges
      allCharges += product.sums.charges
    }
    common = Set(charges.filter { $0.value >= Self.fewestCharges }.keys)
  }

  /// Whether two groups sell different products, or one product at different prices.
  func differ(from other: ChargedPrices) -> Bool {
    common.union(other.common).contains { product in
      isOfferedUnlike(other, product) || other.isOfferedUnlike(self, product) || isPricedUnlike(other, product)
    }
  }

  /// Whether one group sells the product and the other, but for some old clients, does not: it is at most 5 % of the
  /// other's charges, and its share of the one's is five times that, by more than five standard errors.
  private func isOfferedUnlike(_ other: Self, _ product: Identifier) -> Bool {
    let (n, m) = (Double(allCharges), Double(other.allCharges))
    guard n > 0, m > 0 else { return false }
    let (mine, theirs) = (Double(charges[product] ?? 0), Double(other.charges[product] ?? 0))
    let (share, otherShare) = (mine / n, theirs / m)
    let least = min(share, otherShare)
    guard least <= Self.mostOfOldClients, max(share, otherShare) > 5 * least else { return false }
    let pooled = (mine + theirs) / (n + m)
    let variance = pooled * (1 - pooled) * (1 / n + 1 / m)
    return (share - otherShare).magnitude > 5 * variance.squareRoot()
  }

  /// Whether the product has one price in each group, and not the same: averages of baskets and of countries say nothing.
  private func isPricedUnlike(_ other: Self, _ product: Identifier) -> Bool {
    guard common.contains(product), other.common.contains(product), let mine = prices[product],
      let theirs = other.prices[product]
    else { return false }
    return mine != theirs
  }
}
