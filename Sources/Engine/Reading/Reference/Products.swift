import Domain
import Jobs
import Measurement

/// The products table: what a product is, and what of its price is kept.
package struct Products: Sendable {
  package private(set) var rows: [Identifier: Row] = [:]
  /// The table tells the commission of some product.
  package var reportsCommission: Bool { rows.values.contains { $0.commission != nil } }

  /// A charge of some product puts credits on its user's balance.
  var grantCredits: Bool { rows.values.contains { $0.credits > 0 } }

  package struct Row: Sendable, Hashable {
    package var kind: ProductKind?
    var tier: Identifier?
    /// Parts of `PriceShare.whole` of the price that are tax.
    var tax: Int64
    /// Parts of `PriceShare.whole` of the rest that the store keeps; nil where the table does not say.
    var commission: Int64?
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
    /// What the App Store and Google Play keep where nothing tells it.
    static let usualCommission = Int64((RunMeasurement.assumedCommission * Double(whole)).rounded())
  }

  /// The part of a product's price that is left after tax and commission, as far as the table tells them.
  func retainedShare(of product: Identifier) -> Double {
    guard let row = rows[product] else { return 1 }
    let whole = Double(PriceShare.whole)
    let commission = Double(row.commission ?? 0) / whole
    return (1 - Double(row.tax) / whole) * (1 - commission)
  }

  /// Columns by our names; behind them what servers call credits, and the period in days.
  fileprivate enum Column: String, CaseIterable {
    case id = "product_id"
    case kind, tier
    case tax = "tax_percent"
    case commission = "commission_percent"
    case credits, period, trial, grace
    case group = "subscription_group"
    case scanCredits = "scan_credits"
    case durationDays = "duration_days"

    var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// - Throws: as `TableFile.read`; `OfferliftError`, exit 65, where two rows say different things of one product.
  package static func read(
    _ input: TableInput, job: Job, in context: RunContext = RunContext()
  ) throws -> (Products, [FileReading]) {
    var products = Products()
    let fields = Column.allCases.map { ($0.rawValue, $0 == .id) }
    let readings = try SmallTable.read(input, fields: fields, job: job, in: context) { row in
      guard let id = row[.id] else { return (.missingField, "product_id is missing") }
      let product: Row
      do throws(EventDecoder.Fault) { product = try Self.product(row) } catch { return (error.reason, error.detail) }
      // An answer repeats its products call after call, and stores sell one under the same id.
      if let other = products.rows.updateValue(product, forKey: Identifier(id)), other != product {
        throw row.contradiction("this is what \(id) is")
      }
      return nil
    }
    return (products, readings)
  }

  private static func product(_ row: SmallTable.Row) throws(EventDecoder.Fault) -> Row {
    var product = Row(
      kind: try kind(row), tier: row[.tier].map { Identifier($0) }, tax: try share(row, .tax) ?? 0,
      commission: try share(row, .commission))
    let (credits, scanCredits) = (try whole(row, .credits), try whole(row, .scanCredits))
    product.credits = credits ?? scanCredits ?? 0
    let (period, days) = (try Self.period(row, .period), try days(row))
    product.period = period ?? days
    product.trial = try Self.period(row, .trial)
    product.grace = try Self.period(row, .grace)
    if let group = row[.group] {
      product.subscriptionGroup = Array(group.utf8).withText { Fingerprint.subscriptionGroup($0) }
    }
    return product
  }

  private static func kind(_ row: SmallTable.Row) throws(EventDecoder.Fault) -> ProductKind? {
    guard let text = row[.kind] else { return nil }
    if let kind = ProductKind(rawValue: text) { return kind }
    let known = ProductKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw .malformed("kind \"\(text)\" is none of \(known)")
  }

  /// A product may have no trial and no grace; a charge that gives access for no time is a mistake.
  private static func period(_ row: SmallTable.Row, _ column: Column) throws(EventDecoder.Fault) -> Period? {
    guard let text = row[column] else { return nil }
    if let period = Period(text), !period.isEmpty || column != .period { return period }
    throw .malformed("\(column.rawValue) \"\(text)\" is no length of time; write P3D, P1W, P1M, P1Y or P1Y6M")
  }

  /// A period that is told in days.
  private static func days(_ row: SmallTable.Row) throws(EventDecoder.Fault) -> Period? {
    guard let days = try whole(row, .durationDays) else { return nil }
    if (1...longestDays).contains(days) { return Period(days: days) }
    throw .malformed("\(Column.durationDays.rawValue) \(days) is not from 1 to \(longestDays)")
  }

  /// As many as a period's text has digits for.
  private static let longestDays: Int64 = 99_999

  private static func whole(_ row: SmallTable.Row, _ column: Column) throws(EventDecoder.Fault) -> Int64? {
    guard let text = row[column] else { return nil }
    if let number = row.decimal(column.position, decimals: 0) { return number }
    throw .malformed("\(column.rawValue) \"\(text)\" is not a whole number from 0")
  }

  /// A percentage from 0 to 100 with at most six decimals.
  private static func share(_ row: SmallTable.Row, _ column: Column) throws(EventDecoder.Fault) -> Int64? {
    guard let text = row[column] else { return nil }
    if let share = row.decimal(column.position, decimals: 6), share <= PriceShare.whole { return share }
    throw .malformed("\(column.rawValue) \"\(text)\" is not a percentage")
  }
}

extension SmallTable.Row {
  fileprivate subscript(column: Products.Column) -> String? { values[column.position] }
}
