import Testing

@testable import Statistics

@Suite("Sums and moments")
struct MomentsTests {
  @Test("adding users one by one, in bulk or merged gives the same sums")
  func adding() {
    var single = SufficientStatistics()
    for _ in 0..<3 { expectFlag(single.add(y: 5, x: 2, c: -1)) }
    single.addZero()
    var bulk = SufficientStatistics()
    expectFlag(bulk.add(y: 5, x: 2, c: -1, count: 3))
    var zero = SufficientStatistics()
    expectFlag(zero.add(y: 0))
    expectFlag(bulk.merge(zero))
    #expect(single == bulk)
    #expect(bulk.sumXY == 30)
    #expect(bulk.sumYC == -15)
    #expect(bulk.sumXC == -6)
  }

  @Test("overflow of 128 bits is told")
  func overflow() {
    var sums = SufficientStatistics(sumYY: .max)
    expectFlag(!sums.add(y: 1))
    var wide = SufficientStatistics()
    expectFlag(!wide.add(y: Int128(1) << 64))
    var pair = SufficientStatistics()
    expectFlag(!pair.add(y: 1, x: Int128(1) << 63, count: 4))
    var left = SufficientStatistics(sumC: .min)
    expectFlag(!left.merge(SufficientStatistics(sumC: -1)))
    var most = SufficientStatistics(n: .max)
    expectFlag(!most.merge(SufficientStatistics(n: 1)))
  }

  @Test("products of 64 bits and of more are those of 128 bits, overflow included")
  func products() {
    let small: [Int128] = [0, 1, -1, 7, Int128(Int64.max), Int128(Int64.min)]
    let large: [Int128] = [Int128(Int64.max) + 1, Int128(Int64.min) - 1, Int128(1) << 90, .max, .min]
    for a in small + large {
      for b in small + large {
        let (product, hasOverflowed) = SufficientStatistics.multiplied(a, b)
        let expected = a.multipliedReportingOverflow(by: b)
        #expect(product == expected.partialValue && hasOverflowed == expected.overflow, "\(a) * \(b)")
      }
    }
  }

  @Test("decimals are read exactly")
  func decimals() throws {
    for oracle in try OracleCase.all("decimals") {
      let texts = oracle.arguments.list.compactMap(\.string)
      let sums = DecimalSums(n: texts[0], sumY: texts[1], sumYY: texts[2])
      let moments = try SampleMoments(sums, kind: .mean)
      expectEqual(moments.meanY, oracle.value["mean"].double, within: 5e-16, "\(oracle)")
      expectEqual(moments.varianceY, oracle.value["variance"].double, within: 5e-16, "\(oracle)")
    }
  }

  @Test("a sum rests on as many equal values as (Σy)²/Σy² says, told exactly")
  func effectiveEvents() throws {
    let payers = try SampleMoments(SufficientStatistics(n: 1000, sumY: 30, sumYY: 30), kind: .mean)
    #expect(payers.effectiveY == 30)
    #expect(payers.hasEffectiveEvents(atLeast: 30))
    #expect(!payers.hasEffectiveEvents(atLeast: 31))
    // Thirty equal payers and one who pays a little more than they do: no longer an integer, still told exactly.
    let level: Int128 = 1 << 60
    let odd = SufficientStatistics(n: 1000, sumY: 30 * level + 1, sumYY: 29 * level * level + (level + 1) * (level + 1))
    #expect(try !SampleMoments(odd, kind: .mean).hasEffectiveEvents(atLeast: 30))
    let whale = try SampleMoments(SufficientStatistics(n: 1000, sumY: 140, sumYY: 10_040), kind: .mean)
    expectEqual(whale.effectiveY, 19600.0 / 10040, within: 1e-15)
    let nobody = try SampleMoments(SufficientStatistics(n: 1000), kind: .mean)
    #expect(nobody.effectiveY == 0)
    #expect(!nobody.hasEffectiveEvents(atLeast: 1))
  }

  @Test("of a ratio the denominator's sum must rest on them too, and a typed-in one counts as an integer's")
  func effectiveDenominators() throws {
    func ratio(_ sumXX: String) throws -> SampleMoments {
      try SampleMoments(
        DecimalSums(n: "500", sumY: "4.0", sumYY: "0.4", sumX: "12.0", sumXX: sumXX, sumXY: "1.2"), kind: .ratio)
    }
    expectEqual(try ratio("3.6").effectiveY, 40, within: 1e-15)
    expectEqual(try ratio("3.6").effectiveX, 40, within: 1e-15)
    #expect(try ratio("3.6").hasEffectiveEvents(atLeast: 40))
    #expect(try !ratio("3.6000001").hasEffectiveEvents(atLeast: 40))
  }

  @Test("decimals and integers in a scale are the same sums")
  func scales() throws {
    let typed = try SampleMoments(
      DecimalSums(n: "2", sumY: "12.345", sumYY: "90.1", sumX: "3", sumXX: "5", sumXY: "17.25"),
      kind: .ratio
    )
    let summed = try SampleMoments(
      SufficientStatistics(n: 2, sumY: 12345, sumYY: 90_100_000, sumX: 3, sumXX: 5, sumXY: 17250),
      kind: .ratio,
      scale: SumScale(y: 1000)
    )
    #expect(typed.value == summed.value)
    #expect(typed.variance == summed.variance)
    #expect(typed.totalY == 12.345)
    let both = try typed.merging(summed)
    #expect(both.count == 4)
    #expect(both.meanY == typed.meanY)
  }

  @Test("a proportion may leave out its sum of squares")
  func proportionWithoutSquares() throws {
    let typed = try SampleMoments(DecimalSums(n: "1000", sumY: "30"), kind: .proportion)
    expectEqual(typed.varianceY, 0.03 * 0.97 * 1000 / 999, within: 1e-15)
  }

  @Test(
    "sums no users can have are named",
    arguments: [
      (["-1", "0", "0"], SumsError.negativeCount),
      (["1.5", "0", "0"], .countNotWhole(text: "1.5")),
      (["0", "1", "0"], .sumWithoutUsers(.sumY)),
      (["4", "1", "-3"], .negativeSquares(.sumYY)),
      (["4", "10", "24"], .squaresTooSmall(.sumYY)),
      (["1", "2", "5"], .varianceOfOneUser(.sumYY)),
      (["4", "1,5", "3"], .notANumber(.sumY, text: "1,5")),
      (["4", "1", "x"], .notANumber(.sumYY, text: "x")),
      (["4", "", "3"], .notANumber(.sumY, text: "")),
      (["4", "1e", "3"], .notANumber(.sumY, text: "1e")),
      (["4", "1e999999999999", "3"], .outOfRange(.sumY, text: "1e999999999999")),
      (["1e60", "1", "3"], .outOfRange(.n, text: "1e60")),
      (["nan", "1", "3"], .notANumber(.n, text: "nan")),
      (["4", ".", "3"], .notANumber(.sumY, text: ".")),
    ]
  )
  func impossible(texts: [String], error: SumsError) {
    #expect(throws: error) {
      try SampleMoments(DecimalSums(n: texts[0], sumY: texts[1], sumYY: texts[2]), kind: .mean)
    }
    #expect(!error.description.isEmpty)
  }

  @Test("sums of a proportion must be those of zeros and ones")
  func notZerosAndOnes() {
    for (y, yy) in [(5, 6), (-1, -1), (11, 11)] as [(Int128, Int128)] {
      #expect(throws: SumsError.notZerosAndOnes) {
        try SampleMoments(SufficientStatistics(n: 10, sumY: y, sumYY: yy), kind: .proportion)
      }
    }
    #expect(throws: SumsError.notZerosAndOnes) {
      try SampleMoments(DecimalSums(n: "10", sumY: "2.5"), kind: .proportion)
    }
  }

  @Test("covariances beyond Cauchy and Schwarz are named")
  func productTooLarge() {
    let sums = SufficientStatistics(n: 4, sumY: 4, sumYY: 6, sumX: 4, sumXX: 6, sumXY: 7)
    #expect(throws: SumsError.productTooLarge(.sumXY)) { try SampleMoments(sums, kind: .ratio) }
    let covariate = SufficientStatistics(n: 4, sumY: 4, sumYY: 6, sumC: 4, sumCC: 6, sumYC: 1)
    #expect(throws: SumsError.productTooLarge(.sumYC)) { try SampleMoments(covariate, kind: .mean) }
  }

  @Test("a variance below zero by rounding of typed sums counts as zero")
  func rounding() throws {
    let typed = try SampleMoments(DecimalSums(n: "3", sumY: "1", sumYY: "0.33333333333"), kind: .mean)
    #expect(typed.varianceY == 0)
    #expect(throws: SumsError.squaresTooSmall(.sumYY)) {
      try SampleMoments(DecimalSums(n: "3", sumY: "1", sumYY: "0.3333333"), kind: .mean)
    }
  }

  @Test("integers of any size add, subtract, multiply and divide as they should")
  func exactIntegers() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let values = (0..<3).map { _ in
        ExactInteger(
          Int128.random(in: .min ... .max, using: &generator) >> Int128.random(in: 0...127, using: &generator)
        )
      }
      let (a, b, c) = (values[0], values[1], values[2])
      #expect((a + b) * c == a * c + b * c)
      #expect((a - b) * (a + b) == a * a - b * b)
      #expect((a * b) * c == a * (b * c))
      #expect((a < b) == ((b - a).signum > 0))
      if b != .zero {
        expectEqual(ExactInteger.ratio(a * b * c, b * c), c == .zero ? nil : a.double, within: 4e-16)
      }
    }
    #expect(ExactInteger.ratio(.one, .zero) == nil)
    #expect(ExactInteger.powerOfTen(40).double == 1e40)
    #expect((-ExactInteger.powerOfTen(40)).double == -1e40)
  }
}
