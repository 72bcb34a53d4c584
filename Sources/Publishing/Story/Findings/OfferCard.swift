import Analysis
import Domain
import Measurement

/// What the users of a group saw, as the catalog has it.
struct OfferCard {
  let group: StoryGroup
  /// By position.
  let products: [Product]
  /// From the top of the paywall to its foot.
  let copy: [CopyLine]

  struct Product {
    let product: Identifier
    /// As it is written on the paywall, `$7.99`.
    let price: String?
    /// ISO 8601, `P1W`.
    let period: String?
    /// The catalog's word for it, `weekly`.
    let kind: String?
    /// It is selected before the user does anything.
    let isDefault: Bool
    let badge: String?
    let subtitle: String?
  }

  struct CopyLine {
    /// The catalog's column, `header_title`.
    let field: String
    let text: String
  }
}

extension OfferCard {
  /// The baseline first; only groups that the catalog knows.
  static func all(in source: OfferingSource) -> [OfferCard] {
    let products = Dictionary(grouping: source.rows(.offers), by: source.group)
    let copy = Dictionary(grouping: source.rows(.copy), by: source.group)
    return Set(products.keys).union(copy.keys).sorted().map { group in
      OfferCard(
        group: group, products: (products[group] ?? []).map(Product.init),
        copy: (copy[group] ?? []).map(CopyLine.init).sorted { ($0.place, $0.text) < ($1.place, $1.text) })
    }
  }
}

extension OfferCard.Product {
  fileprivate init(_ row: Table.Row) {
    product = row.name("product_id")
    price = row.told("display_price")
    period = row.told("period")
    kind = row.told("type")
    isDefault = row.flag("is_default") ?? false
    badge = row.told("badge")
    subtitle = row.told("subtitle")
  }
}

extension OfferCard.CopyLine {
  fileprivate init(_ row: Table.Row) {
    field = row.text("field")
    text = row.text("text")
  }

  /// Where on the paywall it stands.
  fileprivate var place: Int { PaywallCard.copyFields.firstIndex(of: field) ?? PaywallCard.copyFields.count }
}

extension Table.Row {
  /// A text; nil where there is none.
  fileprivate func told(_ column: String) -> String? {
    let text = text(column)
    return text.isEmpty ? nil : text
  }
}
