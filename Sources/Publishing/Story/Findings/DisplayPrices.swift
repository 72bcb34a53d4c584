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
  /// By group, then by product.
  static func all(in source: OfferingSource) -> [DisplayPriceFinding] {
    source.rows(.displayPrices).map { row in
      func money(_ column: String) -> Money? {
        row.micros(column).map { Money(micros: $0, currency: row.text("currency")) }
      }
      return DisplayPriceFinding(
        product: row.name("product_id"), group: source.group(row), displayed: money("display_price"),
        charges: row.integer("charges") ?? 0, compared: row.integer("compared") ?? 0,
        differing: row.integer("differing") ?? 0, example: money("example"))
    }
  }
}
