/// A price with its currency.
package struct CurrencyAmount: Sendable, Hashable {
  package var micros: Int64
  package var currency: Currency

  package init(micros: Int64, currency: Currency) {
    self.micros = micros
    self.currency = currency
  }
}
