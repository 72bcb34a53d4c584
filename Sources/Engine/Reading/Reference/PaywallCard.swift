import Domain
import Measurement

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
    let location = position.map { $0.magnitude.description }
    let rank = location.map { ($0.count < 10 ? "0" : "") + "\($0.count)" + $0 } ?? "~"
    let texts = [displayPrice, type, badge, subtitle].map { $0 ?? "" }
    return [Identifier(rank), id] + texts.map { Identifier($0) } + [isDefault ? "1" : "0"]
  }
}

extension PaywallCard.CopyLine {
  fileprivate var key: [Identifier] { [Identifier(field), Identifier(text)] }
}

extension ReferenceTables {
  /// What each group of an offering shows, by group; only groups of which the catalog tells something.
  func cards(of offering: Identifier) -> [GroupCard] {
    catalog.cards.filter { $0.key.offering == offering }
      .map { GroupCard(group: $0.key.group, card: completed($0.value)) }
      .sorted { $0.group < $1.group }
  }

  /// The card with what its products' ids and texts stand for.
  private func completed(_ card: PaywallCard) -> PaywallCard {
    var card = card.inOrder
    for index in card.products.indices {
      let product = card.products[index]
      card.products[index].period = products.rows[product.id]?.period ?? catalog.periodOfProduct[product.id]
      card.products[index].displayed = product.displayPrice.flatMap {
        DisplayPrice.amount($0, reporting: rates.reporting)
      }
    }
    return card
  }
}
