import Domain

/// What attribution needs to know of every product the run has met, by number.
package struct ProductFacts: Sendable {
  package let ids: [Identifier]
  /// Place of a product's id among all in order of bytes.
  package let ranks: [UInt32]
  /// From the products table, else from the catalog; nil where neither knows.
  package let kinds: [ProductKind?]
  let tiers: [Identifier?]
  let taxes: [Int64]
  /// What the store keeps, from the products table; nil where that does not say.
  let commissions: [Int64?]
  /// The part of a price that is left after tax and commission, as far as the products table tells them.
  let retainedShares: [Double]
  /// The catalog's price in micros of the currency it is shown in; 0 where it tells none.
  let catalogPrices: [Int64]
  /// How long a charge gives access, from the products table, else from the catalog; nil where neither knows.
  let periods: [Period?]
  /// How long trials are by the products table; nil where it does not tell.
  private let trials: [Period?]
  /// How long those are of which neither log nor table tells it, by the job; nil where it does not say.
  private let usualTrial: Period?
  /// How long access goes on where the next charge fails.
  let graces: [Period]
  let credits: [Int64]
  /// Stand for the groups of subscriptions of which a customer holds one at a time; 0 where the table names none.
  let subscriptionGroups: [UInt32]

  /// The grace of products of which no table tells one.
  static let usualGrace = Period(days: 16)

  /// - Parameter usualTrial: what the job says of trials of unknown length.
  init(names: [Identifier], products: Products, catalog: Catalog, usualTrial: Period? = nil) {
    ids = names
    self.usualTrial = usualTrial
    ranks = RosterOrder.ranks(names)
    kinds = names.map { products.rows[$0]?.kind ?? catalog.kindOfProduct[$0] }
    tiers = names.map { products.rows[$0]?.tier }
    taxes = names.map { products.rows[$0]?.tax ?? 0 }
    let prices = catalog.priceOfProduct
    catalogPrices = names.map { prices[$0].flatMap { DisplayPrice.micros($0) } ?? 0 }
    commissions = names.map { products.rows[$0]?.commission }
    retainedShares = names.map { products.retainedShare(of: $0) }
    periods = names.map { products.rows[$0]?.period ?? catalog.periodOfProduct[$0] }
    trials = names.map { products.rows[$0]?.trial }
    graces = names.map { products.rows[$0]?.grace ?? Self.usualGrace }
    credits = names.map { products.rows[$0]?.credits ?? 0 }
    subscriptionGroups = names.map { products.rows[$0]?.subscriptionGroup ?? 0 }
  }

  /// The group of subscriptions that a product belongs to, as the table has it, else as the log does.
  @inline(__always)
  func subscriptionGroup(of product: UInt32, reported: UInt32) -> UInt32 {
    guard product != Interner.none, case let group = subscriptionGroups[Int(product)], group != 0 else {
      return reported
    }
    return group
  }

  /// How long a trial of the product is, or of none, where the log does not tell; nil where nothing does.
  func trial(of product: UInt32) -> Period? {
    (product == Interner.none ? nil : trials[Int(product)]) ?? usualTrial
  }

  /// An event without a product comes before all products.
  func rank(_ product: UInt32) -> Int64 {
    product == Interner.none ? -1 : Int64(ranks[Int(product)])
  }

  /// The kind of a product that was charged; where no table knows, the charge's type tells: what does not renew
  /// is `one_time_purchase`.
  package func kind(of product: UInt32, in type: EventType) -> ProductKind {
    kind(of: product) ?? (type == .oneTimePurchase ? .nonRenewing : .autoRenewable)
  }

  /// The product's kind as the tables tell it; nil where none does, or the event names no product.
  package func kind(of product: UInt32) -> ProductKind? {
    product == Interner.none ? nil : kinds[Int(product)]
  }
}
