import Analysis
import Domain

/// A group's charges of one product held against the price its paywall displays.
struct DisplayPriceFinding {
  let product: Identifier
  let group: StoryGroup
  let displayed: Money?
  let charges: Int
  /// Charges in the displayed price's currency: only these can be compared.
  let compared: Int
  /// Those of them that were not at the price displayed.
  let differing: Int
  /// The smallest amount that differs.
  let example: Money?
}

extension DisplayPriceFinding {
  /// What is said where no check of it was made.
  static let unknown = "No catalog tells what is displayed, so no charge could be compared with it."

  /// By group, then by product.
  static func all(in source: OfferingSource) -> [DisplayPriceFinding] {
    source.rows(of: DisplayPricesTable()).map { row in
      DisplayPriceFinding(
        product: row.product, group: source.group(row.group),
        displayed: row.displayPrice.map { Money(micros: $0, currency: row.currency) }, charges: row.charges ?? 0,
        compared: row.compared ?? 0, differing: row.differing ?? 0,
        example: row.example.map { Money(micros: $0, currency: row.currency) })
    }
  }
}
