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
    let products = Dictionary(grouping: source.rows(of: OffersTable())) { source.group($0.group) }
    let copy = Dictionary(grouping: source.rows(of: CopyTable())) { source.group($0.group) }
    return Set(products.keys).union(copy.keys).sorted().map { group in
      OfferCard(
        group: group, products: (products[group] ?? []).map(Product.init),
        copy: (copy[group] ?? []).map(CopyLine.init).sorted { ($0.position, $0.text) < ($1.position, $1.text) })
    }
  }
}

extension OfferCard.Product {
  fileprivate init(_ row: Table.Row<OffersTable>) {
    product = row.product
    price = row.displayPrice.ifAny
    period = row.period.ifAny
    kind = row.type.ifAny
    isDefault = row.isDefault ?? false
    badge = row.badge.ifAny
    subtitle = row.subtitle.ifAny
  }
}

extension OfferCard.CopyLine {
  fileprivate init(_ row: Table.Row<CopyTable>) {
    field = row.field
    text = row.text
  }

  /// Where on the paywall it stands.
  fileprivate var position: Int { PaywallCard.copyFields.firstIndex(of: field) ?? PaywallCard.copyFields.count }
}

extension String {
  /// Nil where the text is empty.
  fileprivate var ifAny: String? { isEmpty ? nil : self }
}
