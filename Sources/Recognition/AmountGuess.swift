import Domain

/// How a file writes money: with a point or a comma before the cents.
enum AmountGuess {
  /// What stands before the fraction; nil where the values are no amounts.
  static func sign(of values: [String]) -> Guess<UInt8>? {
    let amounts = Amounts(values)
    guard amounts.areMoney else { return nil }
    let examples = values.filter { value in
      value.utf8.contains(amounts.sign) && (try? DecimalText.parse(value, decimals: 6, sign: amounts.sign)) != nil
    }
    if let first = examples.first {
      return Guess(amounts.sign, .certain, "\(first) has a \(amounts.sign == UInt8(ascii: ",") ? "comma" : "point")")
    }
    return Guess(
      amounts.sign, .likely, amounts.plain == amounts.count ? "all amounts are whole numbers" : "by its amounts")
  }
}
