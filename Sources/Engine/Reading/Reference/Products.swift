import Domain
import Jobs
import Measurement

/// The products table: what a product is, and what of its price is kept.
package struct Products: Sendable {
  package private(set) var rows: [Identifier: Row] = [:]
  /// Those of which the table tells the commission; that of the others is the usual one.
  private var commissionsTold: Set<Identifier> = []

  /// The table tells the commission of some product.
  package var tellsCommission: Bool { !commissionsTold.isEmpty }

  package struct Row: Sendable, Hashable {
    package var kind: ProductKind?
    var tier: Identifier?
    /// Parts of `PriceShare.whole` of the price that are tax.
    var tax: Int64
    /// Parts of `PriceShare.whole` of the rest that the store keeps.
    var commission: Int64
    /// How long a charge gives access, and how long it goes on where the next one fails.
    package var period: Period?
    var grace: Period?
    var trial: Period?
    /// Stands for the group of subscriptions of which a customer holds one at a time; 0 where the table names none.
    var subscriptionGroup: UInt32 = 0
    /// What a charge puts on the user's balance.
    var credits: Int64 = 0
  }

  /// A share of a price as an exact number of hundred-millionths: a percent with six decimals.
  package enum PriceShare {
    package static let whole: Int64 = 100_000_000
    /// Where the table gives no commission.
    static let usualCommission = Int64((RunMeasurement.assumedCommission * Double(whole)).rounded())
  }

  /// The part of a product's price that is left after tax and commission, as far as the table tells them.
  func keptShare(of product: Identifier) -> Double {
    guard let row = rows[product] else { return 1 }
    let whole = Double(PriceShare.whole)
    let commission = commissionsTold.contains(product) ? Double(row.commission) / whole : 0
    return (1 - Double(row.tax) / whole) * (1 - commission)
  }

  /// - Throws: as `TableFile.read`.
  package static func read(_ input: TableInput, job: Job) throws -> (Products, [FileReading]) {
    var products = Products()
    let fields = [
      ("product_id", true), ("kind", false), ("tier", false), ("tax_percent", false),
      ("commission_percent", false), ("credits", false), ("period", false), ("trial", false), ("grace", false),
      ("subscription_group", false),
    ]
    let readings = try SmallTable.read(input, fields: fields, job: job) { row in
      guard let id = row.values[0] else { return (.missingField, "product_id is missing") }
      var product = Row(
        kind: nil, tier: row.values[2].map { Identifier($0) }, tax: 0, commission: PriceShare.usualCommission)
      if let text = row.values[1] {
        guard let kind = ProductKind(rawValue: text) else {
          let known = ProductKind.allCases.map(\.rawValue).joined(separator: ", ")
          return (.malformed, "kind \"\(text)\" is none of \(known)")
        }
        product.kind = kind
      }
      if let text = row.values[3] {
        guard let tax = share(row, 3) else { return (.malformed, "tax_percent \"\(text)\" is not a percentage") }
        product.tax = tax
      }
      if let text = row.values[4] {
        guard let commission = share(row, 4) else {
          return (.malformed, "commission_percent \"\(text)\" is not a percentage")
        }
        product.commission = commission
        products.commissionsTold.insert(Identifier(id))
      }
      if let text = row.values[5] {
        guard let credits = row.decimal(5, decimals: 0) else {
          return (.malformed, "credits \"\(text)\" is not a whole number from 0")
        }
        product.credits = credits
      }
      if let fault = readPeriods(row.values[6...8], into: &product) { return (.malformed, fault) }
      if let group = row.values[9] {
        product.subscriptionGroup = Array(group.utf8).withText { Fingerprint.subscriptionGroup($0) }
      }
      if let other = products.rows.updateValue(product, forKey: Identifier(id)), other != product {
        throw row.contradiction("this is what \(id) is")
      }
      return nil
    }
    return (products, readings)
  }

  /// What is wrong with a row's period, trial and grace, if anything.
  private static func readPeriods(_ texts: ArraySlice<String?>, into product: inout Row) -> String? {
    let fields: [(String, WritableKeyPath<Row, Period?>)] = [
      ("period", \.period), ("trial", \.trial), ("grace", \.grace),
    ]
    for ((name, path), text) in zip(fields, texts) {
      guard let text else { continue }
      // A product may have no trial and no grace; a charge that gives access for no time is a mistake.
      guard let period = Period(text), !period.isEmpty || name != "period" else {
        return "\(name) \"\(text)\" is no length of time; write P3D, P1W, P1M, P1Y or P1Y6M"
      }
      product[keyPath: path] = period
    }
    return nil
  }

  /// A percentage from 0 to 100 with at most six decimals.
  private static func share(_ row: SmallTable.Row, _ field: Int) -> Int64? {
    row.decimal(field, decimals: 6).flatMap { $0 <= PriceShare.whole ? $0 : nil }
  }
}
