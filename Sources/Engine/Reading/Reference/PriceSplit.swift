/// How a charge's price divides by what its row says in money: what of it is tax, and what is left for the developer.
///
/// All amounts are millionths of one currency, whichever that is: what counts is how they divide.
package struct PriceSplit: Sendable, Hashable, BitwiseCopyable {
  /// All that was paid, tax included; above 0.
  let price: Int64
  /// What of it is tax; nil where the row does not say.
  let tax: Int64?
  /// What is left of it after tax and the store's commission; nil where the row does not say.
  let proceeds: Int64?

  /// Nil where the row says nothing of a part from 0 to all of the price: there is nothing to divide, then.
  ///
  /// - Parameters:
  ///   - price: all that was paid, tax included.
  ///   - tax: what of it is tax.
  ///   - proceeds: what is left of it after tax and commission.
  init?(price: Int64, tax: Int64?, proceeds: Int64?) {
    guard price > 0 else { return nil }
    let part = { (amount: Int64?) in amount.flatMap { (0...price).contains($0) ? $0 : nil } }
    (self.price, self.tax, self.proceeds) = (price, part(tax), part(proceeds))
    guard self.tax != nil || self.proceeds != nil else { return nil }
  }

  /// The part of a net amount that `part` is of the price, rounded half to even.
  func share(_ part: Int64, of net: Int64) -> Int64 {
    Int64(Money.roundedHalfToEven(Int128(net) * Int128(part), by: Int128(price)))
  }
}
