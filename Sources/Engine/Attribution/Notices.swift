import Domain
import Measurement

extension Identities {
  /// What cannot be followed. User ids stay out of reports, so the message says how to find them.
  package var notices: [Notice] {
    var notices: [Notice] = []
    if idsInCycles > 0 {
      notices.append(
        Notice(
          kind: .identityCycle, offering: nil, count: idsInCycles,
          message:
            "\(idsInCycles) ids of identities: lead back to themselves. Nothing says which of them is the user, "
            + "so each counts as one. Remove one row of each circle."))
    }
    if conflicts > 0 {
      notices.append(
        Notice(
          kind: .identityConflict, offering: nil, count: conflicts,
          message:
            "\(conflicts) aliases of identities: have rows with different users; each is taken as a user of its own. "
            + "Keep one user for each alias."))
    }
    if disputes > 0 {
      notices.append(
        Notice(
          kind: .purchaseConflict, offering: nil, count: disputes, isWarning: false,
          message:
            "\(Phrase.count(disputes, "subscription")) (an order and a device count as one) were told with several users, as "
            + "when a purchase is restored on another account or several people log in on a device. Each belongs to the user "
            + "that its notifications name, else to the first who is told with it."))
    }
    return notices
  }
}

extension ReferenceTables {
  /// What a reader of the results should know of the tables.
  ///
  /// - Parameters:
  ///   - unknownKinds: products of rows that count of which no table tells the kind.
  ///   - unknownPeriods: products that give access at the cut-off and whose period nothing tells.
  package func notices(
    products facts: ProductFacts, unknownKinds: Set<UInt32>, unknownPeriods: Set<UInt32>
  ) -> [Notice] {
    func ids(_ products: Set<UInt32>) -> [Identifier] { products.map { facts.ids[Int($0)] }.sorted() }
    return unknownProducts(ids(unknownKinds)) + unknownPeriodNotices(ids(unknownPeriods))
  }

  /// Charges whose unit someone may have mistaken, by product.
  package func oddPrices(_ odd: PriceMismatches, products facts: ProductFacts) -> [PriceMismatch] {
    let shown = catalog.priceOfProduct
    return odd.found.map { product, found in
      let id = facts.ids[Int(product)]
      return PriceMismatch(
        product: id, catalogPrice: shown[id] ?? "", exampleMicros: found.example.micros,
        currency: Currency(code: found.example.currency).text, charges: found.charges)
    }
    .sorted { $0.product < $1.product }
  }

  private func unknownProducts(_ unknown: [Identifier]) -> [Notice] {
    guard !unknown.isEmpty else { return [] }
    return [
      Notice(
        kind: .unknownProduct, offering: nil, count: unknown.count,
        message: "no table tells the kind of \(Phrase.count(unknown.count, "product")) (\(examples(unknown))); "
          + "it was taken from the events' types. Give the kind of each in products:.")
    ]
  }

  private func unknownPeriodNotices(_ unknown: [Identifier]) -> [Notice] {
    guard !unknown.isEmpty else { return [] }
    return [
      Notice(
        kind: .unknownPeriod, offering: nil, count: unknown.count,
        message:
          "no table tells the period of \(Phrase.count(unknown.count, "product")) (\(examples(unknown))). Where the log does "
          + "not say when access ends, their users count as having it, retention does not see them leave, and mrr leaves "
          + "their charges out. Give each a period in products:, P1M say.")
    ]
  }

  private func examples(_ products: [Identifier]) -> String {
    products.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ") + (products.count > 3 ? ", …" : "")
  }
}
