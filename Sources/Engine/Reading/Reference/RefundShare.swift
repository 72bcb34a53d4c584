/// A refund that says how much of its charge it takes back, and not how much money that is.
enum RefundShare {
  /// Thousandths of a percent that are all of a charge.
  static let whole: Int64 = 100_000

  /// The part of a charge that a share from 0 to `whole` is, rounded half to even.
  static func part(_ share: Int64, of micros: Int64) -> Int64 {
    Int64(Money.roundedHalfToEven(Int128(micros) * Int128(min(max(share, 0), whole)), by: Int128(whole)))
  }
}
