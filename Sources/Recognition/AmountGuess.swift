import Domain

/// How a file writes money: with a point or a comma before the cents.
enum AmountGuess {
  /// What stands before the fraction; nil where the values are no plain decimal numbers.
  static func sign(of values: [String]) -> Guess<UInt8>? {
    guard !values.isEmpty else { return nil }
    let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
    let points = readable(values, point)
    let commas = readable(values, comma)
    let enough = values.count * 9 / 10
    guard max(points, commas) > enough || max(points, commas) == values.count else { return nil }
    if points == commas { return Guess(point, .likely, "all amounts are whole numbers") }
    return points > commas
      ? Guess(point, .certain, "\(example(values, point)) has a point")
      : Guess(comma, .certain, "\(example(values, comma)) has a comma")
  }

  private static func readable(_ values: [String], _ sign: UInt8) -> Int {
    values.count { (try? DecimalText.parse($0, decimals: 6, sign: sign)) != nil }
  }

  private static func example(_ values: [String], _ sign: UInt8) -> String {
    values.first { $0.utf8.contains(sign) && (try? DecimalText.parse($0, decimals: 6, sign: sign)) != nil } ?? ""
  }
}
