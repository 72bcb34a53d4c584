// placeholder until merged
public enum MetricKind: String, Sendable { case proportion, mean, ratio }
public struct SufficientStatistics: Sendable, Hashable {
  public var n: Int128 = 0, sumY: Int128 = 0, sumYY: Int128 = 0, sumX: Int128 = 0, sumXX: Int128 = 0
  public var sumXY: Int128 = 0, sumC: Int128 = 0, sumCC: Int128 = 0, sumYC: Int128 = 0, sumXC: Int128 = 0
  public init() {}
  public mutating func add(y: Int128, x: Int128 = 0, c: Int128 = 0, count: Int128 = 1) -> Bool { true }
  public mutating func addZero() { n += 1 }
  public mutating func merge(_ other: Self) -> Bool { true }
}
