/// As a list in the order of the initialiser (n, Σy, Σy², Σx, …) without the zeros at its end: most metrics are no
/// ratio and have no covariate.
extension SufficientStatistics: Codable {
  /// - Throws: `DecodingError` where the list has other than integers of 128 bits, or more than there are sums.
  public init(from decoder: any Decoder) throws {
    self.init()
    var told = try decoder.unkeyedContainer()
    for sum in Self.sums where !told.isAtEnd { self[keyPath: sum] = try told.decode(Int128.self) }
    guard told.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: told, debugDescription: "more than \(Self.sums.count) sums")
    }
  }

  /// Writes the list.
  public func encode(to encoder: any Encoder) throws {
    var told = encoder.unkeyedContainer()
    let last = Self.sums.lastIndex { self[keyPath: $0] != 0 } ?? -1
    for sum in Self.sums.prefix(last + 1) { try told.encode(self[keyPath: sum]) }
  }

  private static var sums: [WritableKeyPath<Self, Int128>] {
    [\.n, \.sumY, \.sumYY, \.sumX, \.sumXX, \.sumXY, \.sumC, \.sumCC, \.sumYC, \.sumXC]
  }
}
