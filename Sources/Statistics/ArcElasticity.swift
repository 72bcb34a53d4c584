/// The arc elasticity of demand between two prices: by how many percent fewer buy for each percent that the price rises,
/// both percentages of the mean of the two ends, so that it is the same either way.
///
/// E = ((q₁ − q₀)/(q₁ + q₀))/((p₁ − p₀)/(p₁ + p₀)), Allen 1934, "The concept of arc elasticity of demand", *Review of
/// Economic Studies* 1. Its standard error is the delta method's, from ∂E/∂q₁ = 4q₀/((q₀ + q₁)²·P) and
/// ∂E/∂q₀ = −4q₁/((q₀ + q₁)²·P), P = 2(p₁ − p₀)/(p₁ + p₀), and the like of the prices where they are means themselves.
public struct ArcElasticity: Sendable, Hashable {
  /// E: below −1 a rise loses more buyers than it brings in price.
  public let value: Double
  /// The standard error of E; `nil` where that of a demand is not known.
  public let standardError: Double?

  /// What is bought at one price.
  public struct Point: Sendable, Hashable {
    /// p, above 0.
    public var price: Double
    /// V(p); 0 where everybody pays one price.
    public var priceVariance: Double
    /// q, how many buy: a share of users, or a number.
    public var demand: Double
    /// V(q); `nil` where it is not known.
    public var demandVariance: Double?

    /// A price, and what is bought at it.
    public init(price: Double, priceVariance: Double = 0, demand: Double, demandVariance: Double? = nil) {
      self.price = price
      self.priceVariance = priceVariance
      self.demand = demand
      self.demandVariance = demandVariance
    }

    /// A price that `payers` of `users` paid: q = payers/users with V(q) = q(1 − q)/users.
    ///
    /// - Returns: `nil` without users.
    public init?(price: Double, priceVariance: Double = 0, payers: Double, users: Double) {
      guard users > 0, payers >= 0, payers <= users else { return nil }
      let share = payers / users
      self.init(
        price: price, priceVariance: priceVariance, demand: share, demandVariance: share * (1 - share) / users)
    }
  }

  /// Between two points; `nil` where the prices are equal or not above 0, or nothing is bought at both.
  public init?(from a: Point, to b: Point) {
    let (prices, demands) = (a.price + b.price, a.demand + b.demand)
    guard a.price > 0, b.price > 0, a.price != b.price, demands > 0 else { return nil }
    let priceChange = 2 * (b.price - a.price) / prices
    let demandChange = 2 * (b.demand - a.demand) / demands
    guard let value = (demandChange / priceChange).ifFinite else { return nil }
    self.value = value
    guard let varianceA = a.demandVariance, let varianceB = b.demandVariance else {
      standardError = nil
      return
    }
    let byDemand = 4 / (demands * demands * priceChange)
    let byPrice = value / priceChange * 4 / (prices * prices)
    let squares = [
      b.demand * byDemand * varianceA.squareRoot(), a.demand * byDemand * varianceB.squareRoot(),
      b.price * byPrice * a.priceVariance.squareRoot(), a.price * byPrice * b.priceVariance.squareRoot(),
    ]
    standardError = squares.reduce(0) { $0 + $1 * $1 }.squareRoot().ifFinite
  }

  /// E ± c·standard error; `nil` without a standard error.
  ///
  /// - Parameter multiplier: c, in standard errors.
  public func interval(multiplier: Double) -> Interval? {
    standardError.flatMap { Interval(value - multiplier * $0, value + multiplier * $0) }
  }
}
