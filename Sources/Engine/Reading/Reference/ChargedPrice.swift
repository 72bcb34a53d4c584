import Domain

/// A price in the currency that a customer paid.
struct ChargedPrice: BitwiseCopyable, Equatable {
  var micros: Int64
  var currency: Currency
}
