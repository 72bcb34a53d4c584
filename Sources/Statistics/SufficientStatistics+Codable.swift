/// As a list in the order of the initialiser (n, Σy, Σy², Σx, …) without the zeros at its end: most metrics are no
/// ratio and have no covariate.
extension SufficientStatistics: Codable {
  /// - Throws: `DecodingError` where the list has other than integers of 128 bits, or more than there are sums.
  public init(from decoder: any Decoder) throws {
    self.init()
    var reported = try decoder.unkeyedContainer()
    for sum in Self.sums where !reported.isAtEnd { self[keyPath: sum] = try reported.decode(Int128.self) }
    guard reported.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: reported, debugDescription: "more than \(Self.sums.count) sums")
    }
  }

  /// Writes the list.
  public func encode(to encoder: any Encoder) throws {
    var reported = encoder.unkeyedContainer()
    let last = Self.sums.lastIndex { self[keyPath: $0] != 0 } ?? -1
    for sum in Self.sums.prefix(last + 1) { try reported.encode(self[keyPath: sum]) }
  }

  private static var sums: [WritableKeyPath<Self, Int128>] {
    [\.n, \.sumY, \.sumYY, \.sumX, \.sumXX, \.sumXY, \.sumC, \.sumCC, \.sumYC, \.sumXC]
  }
}
