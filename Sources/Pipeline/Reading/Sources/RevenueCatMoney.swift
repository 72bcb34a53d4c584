/// What exports and webhooks tell of a charge's money alike: prices of any number of decimals, and what of them the
/// charge's country and store keep.
struct RevenueCatMoney {
  private var details: ChargeDetailsCache

  typealias Fault = EventDecoder.Fault

  init(names: EventNames) {
    details = ChargeDetailsCache(names.details)
  }

  /// A price in micros, which is negative where money went back.
  static func micros(_ text: UnsafeBufferPointer<UInt8>, of name: String) throws(Fault) -> Int64 {
    do throws(DecimalText.Fault) {
      return try RoundedDecimal.micros(text)
    } catch {
      throw Fault(reason: .badPrice, detail: "\(name) \"\(text.shown)\" \(error.words)")
    }
  }

  /// The number of the details that `tax` and `commission` make, each a part from 0 to 1, empty where it is not told.
  mutating func details(
    tax: UnsafeBufferPointer<UInt8>, commission: UnsafeBufferPointer<UInt8>
  ) throws(Fault) -> UInt16 {
    if tax.isEmpty, commission.isEmpty { return ChargeDetails.none }
    let told = ChargeDetails(
      tax: try Self.share(tax, of: "tax_percentage"),
      commission: try Self.share(commission, of: "commission_percentage"))
    guard let number = details.number(of: told) else {
      throw .malformed("tax and commission have come in 65,535 different pairs before; no log has as many")
    }
    return number
  }

  /// A part of a price in hundred-millionths, rounded half to even.
  private static func share(_ text: UnsafeBufferPointer<UInt8>, of name: String) throws(Fault) -> Int64? {
    if text.isEmpty { return nil }
    guard let share = try? RoundedDecimal.parse(text, decimals: 8), (0...Products.Share.whole).contains(share) else {
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
