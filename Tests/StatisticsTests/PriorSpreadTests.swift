import Statistics
import Testing

/// How much true lifts differ from test to test.
struct PriorSpreadTests {
  private let lifts = [0.12, -0.03, 0.25, 0.02, -0.11, 0.07, 0.31, -0.02, 0.05, -0.16]
  private let variances = [0.002, 0.004, 0.01, 0.001, 0.006, 0.0025, 0.02, 0.0015, 0.003, 0.008]

  /// The root of the derivative of the likelihood under Student's t with 3 degrees of freedom, by mpmath.
  @Test("The spread is the maximum of the marginal likelihood")
  func maximum() throws {
    let spread = try #require(PriorSpread.deviation(of: zip(lifts, variances).map { (lift: $0, variance: $1) }))
    #expect(abs(spread / 0.093950356182883 - 1) < 1e-6)
  }

  @Test("Lifts that are all noise have the least spread there is, and none without a lift")
  func least() throws {
    let quiet = (0..<20).map { _ in (lift: 0.001, variance: 0.01) }
    #expect(abs(try #require(PriorSpread.deviation(of: quiet)) - PriorSpread.least) < 1e-6)
    #expect(PriorSpread.deviation(of: []) == nil)
    #expect(PriorSpread.deviation(of: [(lift: 0.1, variance: 0)]) == nil)
  }
}
