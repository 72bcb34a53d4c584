import Analysis
import Domain

/// What a group's users bought of one product.
struct ProductFinding {
  let product: Identifier
  let group: StoryGroup
  let kind: ProductKind?
  let sales: SalesFigures
  /// Users whose first charge it was.
  let firstBuyers: Int
}

extension ProductFinding {
  /// By product, then by group.
  static func all(in source: OfferingSource) -> [ProductFinding] {
    source.rows(of: ProductsTable()).map { row in
      ProductFinding(
        product: row.product, group: source.group(row.group), kind: ProductKind(rawValue: row.kind),
        sales: SalesFigures(row.sales, in: source), firstBuyers: row.firstBuyers ?? 0)
    }
    .sorted { ($0.product, $0.group) < ($1.product, $1.group) }
  }
}
