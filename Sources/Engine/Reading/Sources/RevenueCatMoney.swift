import Domain
import Jobs

/// What exports and webhooks tell of a charge alike: prices of any number of decimals, what of them the charge's country
/// and store keep, and the attributes that the job asks for.
struct RevenueCatMoney {
  private var details: ChargeDetailsCache

  package typealias Fault = EventDecoder.Fault

  init(names: EventNames) {
    details = ChargeDetailsCache(names.details)
  }

  /// A price in micros, which is negative where money went back.
  static func micros(_ text: Text, of name: String) throws(Fault) -> Int64 {
    do throws(DecimalText.Fault) {
      return try RoundedDecimal.micros(text.span)
    } catch {
      throw Fault(reason: .badPrice, detail: "\(name) \"\(text.shown)\" \(error.words)")
    }
  }

  /// The number of the details that `tax` and `commission` make, each a part from 0 to 1, empty where it is not told, and
  /// the values of `attributes`.
  mutating func details(
    tax: Text, commission: Text, attributes: UInt32
  ) throws(Fault) -> UInt16 {
    if tax.isEmpty, commission.isEmpty, attributes == Interner.none { return ChargeDetails.none }
    return details.number(
      of: ChargeDetails(
        tax: try Self.share(tax, of: "tax_percentage"),
        commission: try Self.share(commission, of: "commission_percentage"), attributes: attributes))
  }

  /// A part of a price in hundred-millionths, rounded half to even.
  private static func share(_ text: Text, of name: String) throws(Fault) -> Int64? {
    if text.isEmpty { return nil }
    guard let share = try? RoundedDecimal.parse(text.span, decimals: 8), (0...Products.PriceShare.whole).contains(share)
    else {
      throw .malformed("\(name) \"\(text.shown)\" is no part of a price; write 0.15 for 15 percent")
    }
    return share
  }
}

extension Fingerprint {
  /// The key of one of the charges that share a transaction: that of its renewal.
  init(renewal: UInt64, of transaction: Fingerprint) {
    self.init((transaction.high, transaction.low, renewal), space: KeySpace.row)
  }
}
