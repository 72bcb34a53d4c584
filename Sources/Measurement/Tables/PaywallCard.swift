import Domain

/// What one group's paywall shows, as the catalog has it.
package struct PaywallCard: Sendable, Hashable {
  /// By position, then by name.
  package var products: [Product] = []
  /// By field.
  package var copy: [CopyLine] = []

  package init(products: [Product] = [], copy: [CopyLine] = []) {
    self.products = products
    self.copy = copy
  }

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
    /// The display price as an amount of money; nil where it cannot be read as one.
    package var displayed: CurrencyAmount?

    package init(
      id: Identifier, position: Int? = nil, displayPrice: String? = nil, type: String? = nil, isDefault: Bool = false,
      badge: String? = nil, subtitle: String? = nil, period: Period? = nil
    ) {
      self.id = id
      self.position = position
      self.displayPrice = displayPrice
      self.type = type
      self.isDefault = isDefault
      self.badge = badge
      self.subtitle = subtitle
      self.period = period
    }
  }

  /// A text of the paywall.
  package struct CopyLine: Sendable, Hashable {
    /// The catalog's column, `header_title`.
    package var field: String
    package var text: String

    package init(field: String, text: String) {
      self.field = field
      self.text = text
    }
  }

  /// The columns of the copy table that hold text, from the top of a paywall to its foot.
  package static let copyFields = ["header_title", "header_subtitle", "cta_button_text", "supporting_text"]
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
