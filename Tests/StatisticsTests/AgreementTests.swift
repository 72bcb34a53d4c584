import Foundation
import Testing

@testable import Statistics

/// SplitMix64 (Steele, Lea & Flood 2014): random inputs that a printed seed brings back.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite("Agreement of test and interval")
struct AgreementTests {
  static let seed: UInt64 = 20_260_331

  /// Any group of users that could be: few or many, rare or common, level or skewed, with a giant at times.
  static func randomGroup(_ kind: MetricKind, _ generator: inout SeededGenerator) -> SufficientStatistics {
    let size = Int128(pow(10, Double.random(in: 0...9, using: &generator)))
    var sums = SufficientStatistics()
    var isValid = true
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      let count = Int128.random(in: 0...size, using: &generator)
      let magnitude = pow(10, Double.random(in: 0...9, using: &generator))
      switch kind {
      case .proportion:
        isValid = sums.add(y: Int128.random(in: 0...1, using: &generator), count: count) && isValid
      case .mean:
        isValid = sums.add(y: Int128(magnitude) - 2, count: count) && isValid
      case .ratio:
        let x = Int128.random(in: 0...3, using: &generator)
        isValid = sums.add(y: x * Int128(magnitude), x: x, count: count) && isValid
      }
    }
    #expect(isValid)
    return sums
  }

  @Test("p below α, difference without zero and lift without zero are one event, fixed and sequential")
  func oneEvent() throws {
    print("seed \(Self.seed)")
    var generator = SeededGenerator(seed: Self.seed)
    let full = ProcessInfo.processInfo.environment["ALL_RANDOM_INPUTS"] != nil
    var decided = 0
    for index in 0..<(full ? 100_000 : 5_000) {
      let kind = MetricKind.allCases[index % 3]
      let a = try SampleMoments(Self.randomGroup(kind, &generator), kind: kind)
      let b = try SampleMoments(Self.randomGroup(kind, &generator), kind: kind)
      let options = ComparisonOptions(
        alpha: [0.05, 0.1, 0.01, 0.001].randomElement(using: &generator) ?? 0.05)
      let nightly = EveryLook(tuning: pow(10, Double.random(in: 1...7, using: &generator)))
      let result = Comparison(baseline: a, other: b, options: options)
      let fixed = (result.approximatePValue, result.absInterval, result.relInterval)
      let outcome = result.outcome(of: nightly)
      let sequential = (outcome?.pValue, outcome?.absInterval, outcome?.relInterval)
      for (pValue, absolute, relative) in [fixed, sequential] {
        guard let pValue, let absolute else { continue }
        let isSignificant = pValue < options.alpha
        #expect(isSignificant == !absolute.contains(0), "\(a.sums) \(b.sums) \(result)")
        if let relative {
          #expect(isSignificant == !relative.contains(0), "\(a.sums) \(b.sums) \(result)")
        }
        decided += isSignificant ? 1 : 0
      }
      agreesWhenShared(a, b, options, nightly, &generator)
      expectFinite(result, nightly: outcome?.pValue)
    }
    #expect(decided > 1_000)
  }

  /// Among other p-values, whatever the adjustment: adjusted p below α and a deciding interval without 0.
  private func agreesWhenShared(
    _ a: SampleMoments, _ b: SampleMoments, _ options: ComparisonOptions, _ nightly: EveryLook,
    _ generator: inout SeededGenerator
  ) {
    var options = options
    let readsOnce = Bool.random(using: &generator)
    options.decides = readsOnce ? SingleLook() : nightly
    options.liftInterval = LiftIntervalMethod.allCases.randomElement(using: &generator) ?? .fieller
    let result = Comparison(baseline: a, other: b, options: options)
    let own = readsOnce ? result.approximatePValue : result.outcome(of: nightly)?.pValue
    let others = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      pow(10, Double.random(in: -30...0, using: &generator))
    }
    let method = Adjustment.allCases.randomElement(using: &generator) ?? .holm
    guard own != nil, let adjusted = method.adjusted([own] + others)[0], let share = method.shares([own] + others)[0],
      let interval = result.decidedRelInterval(shareOfAlpha: share)
    else { return }
    #expect((adjusted < options.alpha) == !interval.contains(0), "\(method) \(a.sums) \(b.sums) \(result)")
  }

  @Test("holds on the very edge of significance")
  func edge() throws {
    for df in [1.0, 3.5, 40, 1e6] {
      let quantile = try #require(StudentT(degreesOfFreedom: df)?.upperQuantile(0.025))
      for ulps in -30...30 {
        var difference = quantile * 2.0.squareRoot()
        for _ in 0..<abs(ulps) { difference = ulps < 0 ? difference.nextDown : difference.nextUp }
        let a = try #require(MeanFrame(n: 10, mean: 50, squaredError: 1, degreesOfFreedom: df / 2))
        let b = try #require(
          MeanFrame(n: 10, mean: 50 + difference, squaredError: 1, degreesOfFreedom: df / 2))
        let result = Comparison(baseline: a, other: b)
        let excludes = !(try #require(result.absInterval)).contains(0)
        #expect(((result.pValue ?? 1) < 0.05) == excludes)
        if let lift = result.relInterval { #expect(lift.contains(0) == !excludes) }
      }
    }
  }

  private func expectFinite(_ result: Comparison, nightly: Double?) {
    let numbers = [
      result.baselineValue, result.value, result.absDiff, result.standardError, result.degreesOfFreedom,
      result.relLift, result.pValue, result.approximatePValue, result.exactPValue, nightly,
      result.chanceToWin, result.expectedLoss, result.mdeRel,
    ]
    #expect(numbers.allSatisfy { $0?.isFinite ?? true }, "\(result)")
    let probabilities = [result.pValue, result.exactPValue, nightly, result.chanceToWin]
    #expect(probabilities.allSatisfy { (0...1).contains($0 ?? 0) }, "\(result)")
  }
}
