import Testing

@testable import Statistics

/// Score intervals of shares from one in a thousand million on, where a search that goes to and fro finds no end.
struct ShareExtremesTests {
  private func moments(_ successes: Int128, of users: Int128) throws -> SampleMoments {
    try SampleMoments(SufficientStatistics(n: users, sumY: successes, sumYY: successes), kind: .proportion)
  }

  /// The differences at which the statistic of the likeliest shares is ±c, bisected with 60 digits by mpmath.
  @Test(
    "Ends of the difference's interval from counts of 1 to 10¹²",
    arguments: [
      (5, 100, 9, 120, 1.959963984540054, -0.04564632448512127, 0.09384549655072651),
      (5, 100, 9, 120, 3.8, -0.1379240454068314, 0.1770710698373515),
      (2, 1_762_538, 2, 1_762_538, 1.959963984540054, -3.113915634683314e-6, 3.113915634683314e-6),
      (2, 1_762_538, 2, 1_762_538, 3.8, -9.258097740672165e-6, 9.258097740672165e-6),
      (1, 1_000_000_000_000, 3, 1_000_000_000_000, 1.959963984540054, -2.910421374599554e-12, 7.924859458638632e-12),
      (1, 1_000_000_000_000, 3, 1_000_000_000_000, 3.8, -1.346984739021073e-11, 1.905084910723309e-11),
      (1, 1_000_000_000, 1, 1_000_000_000, 1.959963984540054, -4.737058508994234e-9, 4.737058508994234e-9),
      (1, 1_000_000_000, 1, 1_000_000_000, 3.8, -1.540758231867282e-8, 1.540758231867282e-8),
      (7, 1_000_000, 20, 100_000, 1.959963984540054, 0.0001222347388504547, 0.0003020126216597151),
      (7, 1_000_000, 20, 100_000, 3.8, 7.984776070145681e-5, 0.0004498744453059795),
      (
        999_999_990, 1_000_000_000, 999_999_980, 1_000_000_000, 1.959963984540054, -2.193181374532837e-8,
        7.850803288715696e-10
      ),
      (999_999_990, 1_000_000_000, 999_999_980, 1_000_000_000, 3.8, -3.68225949446514e-8, 1.3516982518509e-8),
      (
        1_000_000, 1_000_000_000_000, 1_005_000, 1_000_000_000_000, 1.959963984540054, 2.224733276841441e-9,
        7.775276302789994e-9
      ),
      (1_000_000, 1_000_000_000_000, 1_005_000, 1_000_000_000_000, 3.8, -3.807235321231266e-10, 1.038075954165835e-8),
      (3, 400, 0, 100_000_000, 1.959963984540054, -0.02181572072403212, -0.00255388919524994),
      (3, 400, 0, 100_000_000, 3.8, -0.04819305014829663, -0.00112651360037628),
    ] as [(Int128, Int128, Int128, Int128, Double, Double, Double)])
  func difference(
    a: Int128, n: Int128, b: Int128, m: Int128, c: Double, low: Double, high: Double
  ) throws {
    let shares = try #require(ShareDifference(try moments(a, of: n), try moments(b, of: m)))
    let found = try #require(shares.absInterval(multiplier: c))
    #expect(abs(found.low / low - 1) < 1e-9 && abs(found.high / high - 1) < 1e-9, "\(found)")
  }

  @Test("A root on the steep side of a flat function is found, and none is made up")
  func flatAndSteep() throws {
    // Flat below 1, then steep: Newton's steps from either side lead to the other one.
    let found = Inversion.root(start: 2, low: 0, high: 2, isIncreasing: true) { x in
      x < 1 ? (1e-6 * x - 1e-6 * 0.75, 1e-6) : (1e-6 * 0.25 + (x - 1) * 1000, 1000)
    }
    #expect(abs(try #require(found) - 0.75) < 1e-9)
    #expect(Inversion.root(start: 0.5, low: 0, high: 1, isIncreasing: true) { _ in (.nan, 1) } == nil)
  }
}
