import Domain

/// Reads amounts as Google's `Money` tells them: whole units as a text and billionths of a unit beside, both of one sign,
/// each 0 where it is absent.
///
/// Source: Google, Google Play Developer API, `Money`.
struct GooglePlayMoney {
  private let reader = JSONObjectReader<Member>()

  package typealias Fault = EventDecoder.Fault

  private enum Member: Int, JSONMember {
    case currencyCode, units, nanos
    var source: SourceField { SourceField(name: String(describing: self)) }
  }

  /// What is paid or given back, from 0 on, rounded half to even to millionths; nil where the row does not tell it.
  func amount(_ field: Field, of name: String) throws(Fault) -> CurrencyAmount? {
    if field.isMissing { return nil }
    guard field.isObject, let money = reader.read(field.bytes) else { throw .malformed("\(name) is not an amount") }
    let currency = try Currency.read(money.text(.currencyCode))
    let (units, nanos) = (Self.number(money[.units]), Self.number(money[.nanos]))
    guard let units, let nanos, nanos < Self.billion else {
      throw Fault(
        reason: .badPrice,
        detail: "\(name) \"\(field.bytes.shown)\" is not units and nanos from 0 on, as a whole number each")
    }
    let rounded = Int64(Money.roundedHalfToEven(Int128(nanos), by: 1000))
    let (micros, isTooMuch) = units.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isOver) = micros.addingReportingOverflow(rounded)
    guard !isTooMuch, !isOver else {
      throw Fault(reason: .badPrice, detail: "\(name) \"\(field.bytes.shown)\" is more than any price")
    }
    return CurrencyAmount(micros: sum, currency: currency)
  }

  private static let billion: Int64 = 1_000_000_000

  /// A whole number from 0 on, typed as one or as a text; nil for anything else.
  private static func number(_ field: Field) -> Int64? {
    if field.isMissing { return 0 }
    return try? DecimalText.parse(field.text.span, decimals: 0)
  }

  /// Gives back what the amounts read so far took.
  func forget() { reader.forget() }
}
