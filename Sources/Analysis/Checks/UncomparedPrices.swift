import Domain
import Measurement

/// Why none of some groups' charges could be held against a displayed price.
enum UncomparedPrices: Equatable {
  case noPrice
  /// A price that is no amount of money, as it is displayed.
  case unreadable(text: String, product: Identifier)
  case nothingBought
  case otherCurrencies(charges: Int, displayed: [String])

  /// Of all groups of an offering, none of whose charges was compared.
  init(of offering: OfferingMeasurement) {
    self.init(offering.groups, cards: offering.cards.map(\.card))
  }

  /// Of one group that bought something; nil where some charge was compared, or none was made.
  init?(of group: GroupMeasurement, in offering: OfferingMeasurement) {
    guard group.tables.sales.charges > 0, group.tables.displayPrices.allSatisfy({ $0.counts.compared == 0 }) else {
      return nil
    }
    self.init([group], cards: offering.cards.filter { $0.group == group.id }.map(\.card))
  }

  private init(_ groups: [GroupMeasurement], cards: [PaywallCard]) {
    let found = groups.flatMap(\.tables.displayPrices)
    let charges = found.reduce(0) { $0 + $1.counts.charges }
    let products = cards.flatMap(\.products)
    let unreadable = products.first { $0.displayed == nil && $0.displayPrice?.isEmpty == false }
    if charges > 0 {
      self = .otherCurrencies(charges: charges, displayed: Set(found.map(\.displayed.currency.text)).sorted())
    } else if let unreadable, let text = unreadable.displayPrice {
      self = .unreadable(text: text, product: unreadable.id)
    } else {
      self = products.contains { $0.displayed != nil } ? .nothingBought : .noPrice
    }
  }

  /// The end of a sentence.
  var words: String {
    switch self {
    case .noPrice: "the catalog tells no price"
    case .unreadable(let text, let product): "\"\(text)\" of \(product) is no amount in a known currency"
    case .nothingBought: "no product with a price in the catalog was bought"
    case .otherCurrencies(let charges, let displayed):
      "none of \(Phrase.count(charges, "charge")) is in its currency, \(Phrase.list(displayed))"
    }
  }

  /// Somebody should look at the catalog.
  var isOdd: Bool {
    if case .unreadable = self { true } else { false }
  }
}
