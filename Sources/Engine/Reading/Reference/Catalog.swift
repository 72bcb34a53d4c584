import Domain
import Jobs
import Measurement

/// The server's catalog: what each offering's groups weigh and sell.
package struct Catalog: Sendable {
  /// Offerings by row id.
  private(set) var offeringOfID: [Identifier: Identifier] = [:]
  /// What the server's people call an offering, where that is not its id.
  private(set) var nameOfOffering: [Identifier: String] = [:]
  /// Offering and group by the group's row id.
  private(set) var groupOfID: [Identifier: GroupID] = [:]
  /// Relative weights, by offering and group.
  package private(set) var weights: [Identifier: [Identifier: Double]] = [:]
  /// What each group sells.
  package private(set) var products: [GroupID: [Product]] = [:]
  /// What each group's paywall shows, as far as products or copy tell it.
  private(set) var cards: [GroupID: PaywallCard] = [:]
  /// A product's kind as the catalog's `type` tells it.
  private(set) var kindOfProduct: [Identifier: ProductKind] = [:]
  /// How long a product's charge gives access, as its `type` tells it; where rows differ, the longest.
  private(set) var periodOfProduct: [Identifier: Period] = [:]
  /// Groups that stored responses show with different lists of products, and how many lists.
  private(set) var conflicts: [(group: GroupID, versions: Int)] = []
  /// Whether a row id's offering is active, as far as its row says it.
  private var isActive: [Identifier: Bool] = [:]
  /// An offering's `is_active` that is no flag, as it stands there.
  private(set) var oddFlags: [Identifier: String] = [:]
  /// What stored responses hold in place of products; nil where some tells products, or there are none to be read.
  private(set) var silence: ServedOfferings.Silence?

  package init(
    offeringOfID: [Identifier: Identifier] = [:], groupOfID: [Identifier: GroupID] = [:],
    weights: [Identifier: [Identifier: Double]] = [:], products: [GroupID: [Product]] = [:],
    kindOfProduct: [Identifier: ProductKind] = [:], periodOfProduct: [Identifier: Period] = [:],
    conflicts: [(group: GroupID, versions: Int)] = []
  ) {
    self.offeringOfID = offeringOfID
    self.groupOfID = groupOfID
    self.weights = weights
    self.products = products
    self.kindOfProduct = kindOfProduct
    self.periodOfProduct = periodOfProduct
    self.conflicts = conflicts
  }

  /// One group of one offering.
  package struct GroupID: Sendable, Hashable {
    package var offering: Identifier
    package var group: Identifier
  }

  /// One product a group sells.
  package struct Product: Sendable, Hashable {
    package var id: Identifier
    var displayPrice: String?
    var isDefault: Bool
  }

  /// Reads the tables the job names, each of which may be left out, or stored responses.
  ///
  /// - Throws: as `TableFile.read`.
  package static func read(
    _ input: CatalogInput, job: Job, in context: RunContext = RunContext()
  ) throws -> (Catalog, [FileReading]) {
    var catalog = Catalog()
    var readings: [FileReading] = []
    if let table = input.offerings { readings += try catalog.readOfferings(table, job, context) }
    if let table = input.groups { readings += try catalog.readGroups(table, job, context) }
    if let table = input.products { readings += try catalog.readProducts(table, job, context) }
    if let table = input.copy { readings += try catalog.readCopy(table, job, context) }
    if let stored = input.responses {
      var served = ServedOfferings()
      readings += try served.read(stored, job: job, in: context)
      catalog.accept(served)
    }
    return (catalog, readings)
  }

  /// Whether the groups of an offering sell different products or at different prices.
  ///
  /// A price that one group tells and another does not is no other price, nor is one that is only written otherwise.
  package func pricesDiffer(in offering: Identifier, among groups: [Identifier], reporting: Currency) -> Bool {
    let reported = products.filter { $0.key.offering == offering && groups.contains($0.key.group) }
    let sold = reported.values.map { products in
      Dictionary(grouping: products, by: \.id).mapValues { Set($0.compactMap(\.displayPrice).filter { !$0.isEmpty }) }
    }
    guard let first = sold.first else { return false }
    return sold.contains { Set($0.keys) != Set(first.keys) }
      || first.keys.contains { id in DisplayPrice.differ(sold.compactMap { $0[id] }, reporting: reporting) }
  }

  /// Whether a product of some group of an offering is told.
  func reportsProducts(of offering: Identifier) -> Bool { products.keys.contains { $0.offering == offering } }

  /// Whether each product of some groups has its price in the catalog, and each group a product.
  func reportsPrices(of offering: Identifier, among groups: [Identifier]) -> Bool {
    let reported = products.filter { $0.key.offering == offering && groups.contains($0.key.group) }
    let sold = reported.values.joined()
    return reported.count == groups.count && sold.allSatisfy { !($0.displayPrice ?? "").isEmpty }
  }

  /// The offerings that are over: `is_active` is false in each row of them.
  var endedOfferings: Set<Identifier> {
    Set(offeringOfID.values).subtracting(offeringOfID.filter { isActive[$0.key] ?? true }.values)
  }

  /// Every group of an offering that the catalog names.
  package func groups(of offering: Identifier) -> Set<Identifier> {
    Set((Array(groupOfID.values) + products.keys).filter { $0.offering == offering }.map(\.group))
  }

  /// The display price of each product that has one, where all groups agree on it.
  var priceOfProduct: [Identifier: String] {
    var prices: [Identifier: Set<String>] = [:]
    for product in products.values.joined() {
      product.displayPrice.map { _ = prices[product.id, default: []].insert($0) }
    }
    return prices.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// Groups that do not have exactly one default product, in order.
  var groupsWithoutOneDefault: [(group: GroupID, defaults: Int)] {
    products.map { ($0.key, $0.value.count { $0.isDefault }) }
      .filter { $0.1 != 1 }
      .sorted { ($0.0.offering, $0.0.group) < ($1.0.offering, $1.0.group) }
  }

  private mutating func readOfferings(_ table: TableInput, _ job: Job, _ context: RunContext) throws -> [FileReading] {
    let fields = [("id", true), ("offering_id", true), ("is_active", false), ("name", false)]
    return try SmallTable.read(table, fields: fields, job: job, in: context) { row in
      guard let id = row.values[0], let name = row.values[1] else { return Self.missing("id or offering_id") }
      if let text = row.values[2] {
        // Of a table that was exported twice the end is what is new.
        if let flag = row.flag(2) { isActive[Identifier(id)] = flag && isActive[Identifier(id)] ?? true }
        if row.flag(2) == nil { oddFlags[Identifier(name)] = min(text, oddFlags[Identifier(name)] ?? text) }
      }
      if let called = row.values[3], called != name {
        nameOfOffering[Identifier(name)] = min(called, nameOfOffering[Identifier(name)] ?? called)
      }
      let known = offeringOfID.updateValue(Identifier(name), forKey: Identifier(id))
      if let known, known != Identifier(name) { throw row.contradiction("offering \(id) is \(name)") }
      return nil
    }
  }

  private mutating func readGroups(_ table: TableInput, _ job: Job, _ context: RunContext) throws -> [FileReading] {
    let fields = [("id", true), ("subscription_offering_id", true), ("group_name", true), ("weight", false)]
    return try SmallTable.read(table, fields: fields, job: job, in: context) { row in
      guard let id = row.values[0], let offeringID = row.values[1], let name = row.values[2] else {
        return Self.missing("id, subscription_offering_id or group_name")
      }
      guard let offering = offeringOfID[Identifier(offeringID)] else {
        return (.malformed, "no row of the offerings table has the id \"\(offeringID)\"")
      }
      let group = GroupID(offering: offering, group: Identifier(name))
      if let known = groupOfID.updateValue(group, forKey: Identifier(id)), known != group {
        throw row.contradiction("group \(id) is \(name)")
      }
      guard let text = row.values[3] else { return nil }
      guard let weight = row.double(3), weight.isFinite, weight >= 0 else {
        return (.malformed, "weight \"\(text)\" is not a number from 0")
      }
      let known = weights[offering, default: [:]].updateValue(weight, forKey: group.group)
      if let known, known != weight { throw row.contradiction("\(name) weighs \(text)") }
      return nil
    }
  }

  private mutating func readProducts(_ table: TableInput, _ job: Job, _ context: RunContext) throws -> [FileReading] {
    let fields = [
      ("offering_group_id", true), ("product_id", true), ("type", false), ("fallback_display_price", false),
      ("is_default", false), ("position", false), ("badge_text", false), ("subtitle_text", false),
    ]
    return try SmallTable.read(table, fields: fields, job: job, in: context) { row in
      guard let group = row.values[0], let id = row.values[1] else {
        return Self.missing("offering_group_id or product_id")
      }
      guard let group = groupOfID[Identifier(group)] else {
        return (.malformed, "no row of the groups table has the id \"\(group)\"")
      }
      let isDefault = row.flag(4) ?? false
      products[group, default: []].append(
        Product(id: Identifier(id), displayPrice: row.values[3], isDefault: isDefault))
      cards[group, default: PaywallCard()].products.append(
        PaywallCard.Product(
          id: Identifier(id), position: row.values[5].flatMap { Int($0) }, displayPrice: row.values[3],
          type: row.values[2], isDefault: isDefault, badge: row.values[6], subtitle: row.values[7]))
      if let type = row.values[2] { note(type: type, of: Identifier(id)) }
      return nil
    }
  }

  /// The copy is words for people; nothing is measured by it.
  private mutating func readCopy(_ table: TableInput, _ job: Job, _ context: RunContext) throws -> [FileReading] {
    let fields = [("offering_group_id", true)] + PaywallCard.copyFields.map { ($0, false) }
    return try SmallTable.read(table, fields: fields, job: job, in: context) { row in
      guard let group = row.values[0] else { return Self.missing("offering_group_id") }
      guard let group = groupOfID[Identifier(group)] else { return nil }
      for (field, text) in zip(PaywallCard.copyFields, row.values.dropFirst()) {
        guard let text else { continue }
        let line = PaywallCard.CopyLine(field: field, text: text)
        if cards[group]?.copy.contains(line) != true { cards[group, default: PaywallCard()].copy.append(line) }
      }
      return nil
    }
  }

  private mutating func accept(_ served: ServedOfferings) {
    products = served.products
    cards = served.cards
    conflicts = served.conflicts
    silence = served.silence
    for (product, type) in served.types { note(type: type.text, of: product) }
  }

  /// Takes over what a product's `type` tells: its period, or its kind by name.
  private mutating func note(type: String, of product: Identifier) {
    let type = type.lowercased()
    guard let period = Self.periods.first(where: { $0.type == type })?.period else {
      if let kind = ProductKind(rawValue: type) { kindOfProduct[product] = kind }
      return
    }
    kindOfProduct[product] = .autoRenewable
    let known = periodOfProduct[product] ?? period
    periodOfProduct[product] = known.end(from: 0) < period.end(from: 0) ? period : known
  }

  /// Whether a catalog's word for what a product is says how it renews.
  static func isKind(_ type: String) -> Bool {
    let type = type.lowercased()
    return periods.contains { $0.type == type } || ProductKind(rawValue: type) != nil
  }

  private static let periods: [(type: String, period: Period)] = [
    ("weekly", Period(days: 7)), ("monthly", Period(months: 1)), ("yearly", Period(months: 12)),
  ]

  private static func missing(_ what: String) -> (SetAsideReason, String) {
    (.missingField, "\(what) is missing")
  }
}
