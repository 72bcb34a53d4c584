import Domain

/// What one group's paywall shows, as the catalog has it.
package struct PaywallCard: Sendable, Hashable {
  /// By position, then by name.
  package var products: [Product] = []
  /// By field.
  package var copy: [CopyLine] = []

  /// A product as it is shown.
  package struct Product: Sendable, Hashable {
    package var id: Identifier
    /// Its place on the paywall; nil where the catalog does not tell.
    package var position: Int?
    /// As it was typed, `$7.99`.
    package var displayPrice: String?
    /// The catalog's word for what it is, `weekly`.
    package var type: String?
    package var isDefault = false
    package var badge: String?
    package var subtitle: String?
    /// How long a charge gives access, from the products table, else as the catalog's type tells it.
    package var period: Period?
  }

  /// A text of the paywall.
  package struct CopyLine: Sendable, Hashable {
    /// The catalog's column, `header_title`.
    package var field: String
    package var text: String
  }

  /// The columns of the copy table that hold text, from the top of a paywall to its foot.
  package static let copyFields = ["header_title", "header_subtitle", "cta_button_text", "supporting_text"]
}

extension PaywallCard {
  /// The card in an order that does not depend on the order of its rows.
  var inOrder: PaywallCard {
    PaywallCard(
      products: products.sorted { $0.key.lexicographicallyPrecedes($1.key) },
      copy: copy.sorted { $0.key.lexicographicallyPrecedes($1.key) })
  }

  /// What cards are ordered by.
  var key: [Identifier] { products.flatMap(\.key) + copy.flatMap(\.key) }
}

extension PaywallCard.Product {
  /// What products are ordered by; those without a position come last.
  fileprivate var key: [Identifier] {
    // Digits in front of a number of them let numbers of any length be compared as bytes.
    let place = position.map { $0.magnitude.description }
    let rank = place.map { ($0.count < 10 ? "0" : "") + "\($0.count)" + $0 } ?? "~"
    let texts = [displayPrice, type, badge, subtitle].map { $0 ?? "" }
    return [Identifier(rank), id] + texts.map { Identifier($0) } + [isDefault ? "1" : "0"]
  }
}

extension PaywallCard.CopyLine {
  fileprivate var key: [Identifier] { [Identifier(field), Identifier(text)] }
}

/// A group and what its paywall shows.
package struct GroupCard: Sendable, Hashable {
  package var group: Identifier
  package var card: PaywallCard

  package init(group: Identifier, card: PaywallCard) {
    self.group = group
    self.card = card
  }
}

extension ReferenceTables {
  /// What each group of an offering shows, by group; only groups of which the catalog tells something.
  func cards(of offering: Identifier) -> [GroupCard] {
    catalog.cards.filter { $0.key.offering == offering }
      .map { GroupCard(group: $0.key.group, card: withPeriods($0.value)) }
      .sorted { $0.group < $1.group }
  }

  private func withPeriods(_ card: PaywallCard) -> PaywallCard {
    var card = card.inOrder
    for index in card.products.indices {
      let id = card.products[index].id
      card.products[index].period = products.rows[id]?.period ?? catalog.periodOfProduct[id]
    }
    return card
  }
}
