import Domain
import Jobs

/// What vendors tell of a charge alike: prices of any number of decimals, what of them the charge's country and store
/// keep, and the attributes that the job asks for.
struct ChargeMoney {
  private var details: ChargeDetailsCache
  /// What the format calls the shares of a price, for messages.
  private let (taxName, commissionName): (String, String)

  package typealias Fault = EventDecoder.Fault

  init(names: EventNames, tax: String, commission: String) {
    details = ChargeDetailsCache(names.details)
    (taxName, commissionName) = (tax, commission)
  }

  /// A price in micros, which is negative where money went back.
  static func micros(_ text: Text, of name: String) throws(Fault) -> Int64 {
    do throws(DecimalText.Fault) {
      return try RoundedDecimal.micros(text.span)
    } catch {
      throw Fault(reason: .badPrice, detail: "\(name) \"\(text.shown)\" \(error.words)")
    }
  }

  /// What an amount is worth in millionths of a US dollar, by the text that tells it; nil where that is no price, or none
  /// of something that had one. A refund's is negative, as its price is.
  static func dollars(_ text: Text, of amount: Int64) -> Int64? {
    guard let micros = try? RoundedDecimal.micros(text.span), micros != .min, micros != 0 || amount == 0 else {
      return nil
    }
    return abs(micros)
  }

  /// The part of a worth in dollars that `part` is of `whole`, rounded half to even; nil of nothing.
  static func share(_ dollars: Int64, _ part: Int64, of whole: Int64) -> Int64? {
    guard whole > 0, part >= 0 else { return nil }
    return Int64(exactly: Money.roundedHalfToEven(Int128(dollars) * Int128(part), by: Int128(whole)))
  }

  /// The number of the details that `tax` and `commission` make, each a part from 0 to 1, empty where it is not told, and
  /// the values of `attributes`. In a `store` of the web nothing is kept where nothing tells it.
  mutating func details(
    tax: Text, commission: Text, store: Text, attributes: UInt32
  ) throws(Fault) -> UInt32 {
    let isOfWeb = Self.isOfWeb(store)
    if tax.isEmpty, commission.isEmpty, !isOfWeb, attributes == Interner.none { return ChargeDetails.none }
    return details.number(
      of: ChargeDetails(
        tax: try Self.share(tax, of: taxName), commission: try Self.share(commission, of: commissionName),
        usualCommission: isOfWeb ? 0 : nil, attributes: attributes))
  }

  /// Whether sales go through a site of the app's own, as vendors call what takes the money there.
  private static func isOfWeb(_ store: Text) -> Bool {
    (["stripe", "paddle", "rc_billing", "braintree"] as [StaticString]).contains { store.isEqual(ignoringCaseTo: $0) }
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
