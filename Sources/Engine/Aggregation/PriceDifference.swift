import Domain
import Jobs
import Measurement

extension PriceDifference {
  /// The difference among an offering's groups; nil where none is known.
  ///
  /// Where a catalog that is there to tell what groups sell says nothing of them, charges alone say nothing, either: another
  /// product that is selected beforehand makes another mix of the same.
  init?(of offering: Identifier, _ groups: [GroupMeasurement], _ catalog: Catalog, _ job: Job) {
    if let reporting = Currency(Array(job.currency.utf8)), catalog.pricesDiffer(in: offering, reporting: reporting) {
      self = .displayed
      return
    }
    let isSilent = job.catalog?.isOfProducts == true && !catalog.tellsProducts(of: offering)
    guard !isSilent, !catalog.tellsPrices(of: offering),
      ChargedPrices.differ(among: groups.map { ChargedPrices($0.tables.products) })
    else { return nil }
    self = .charged
  }
}

/// What a group's users were charged, product by product.
struct ChargedPrices {
  private var charges: [Identifier: Int] = [:]
  /// In micros of the reporting currency.
  private var gross: [Identifier: Int128] = [:]
  private var allCharges = 0
  /// The products that are bought often.
  private let common: Set<Identifier>
  /// Of fewer charges nothing is shown, and a log whose product ids are rubbish may have millions of them.
  private static let fewestCharges = 10
  /// A product that is more of a group's charges is sold there, and merely bought less.
  private static let mostOfOldClients = 0.05

  init(_ sales: [ProductSales]) {
    for product in sales {
      charges[product.product, default: 0] += product.sums.charges
      gross[product.product, default: 0] += product.sums.gross
      allCharges += product.sums.charges
    }
    common = Set(charges.filter { $0.value >= Self.fewestCharges }.keys)
  }

  /// Whether two of the groups sell different products, or one product at different prices.
  static func differ(among groups: [ChargedPrices]) -> Bool {
    groups.indices.contains { left in
      groups[..<left].contains { right in
        groups[left].common.union(right.common).contains { product in
          groups[left].isOfferedUnlike(right, product) || groups[left].isPricedUnlike(right, product)
        }
      }
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

  /// Whether the product's average charge differs by more than 2 %, and by more than four standard errors of prices
  /// whose standard deviation is half their mean, as currencies and countries make it.
  private func isPricedUnlike(_ other: Self, _ product: Identifier) -> Bool {
    guard let mine = averageMicros(of: product), let theirs = other.averageMicros(of: product) else { return false }
    let (n, m) = (Double(charges[product] ?? 0), Double(other.charges[product] ?? 0))
    let least = max(0.02, 4 * 0.5 * (1 / n + 1 / m).squareRoot())
    return (mine - theirs).magnitude > least * (mine + theirs) / 2
  }

  private func averageMicros(of product: Identifier) -> Double? {
    guard let count = charges[product], count > 0, let sum = gross[product] else { return nil }
    return Double(sum) / Double(count)
  }
}
