import Statistics

/// NIST's Statistical Reference Datasets, as far as the program computes what they certify: means, standard deviations,
/// and the F statistic of two groups alike in size, which is the square of the test's t.
///
/// Source: National Institute of Standards and Technology, Statistical Reference Datasets (StRD), Univariate Summary
/// Statistics and Analysis of Variance, https://www.itl.nist.gov/div898/strd/. Values are whole numbers of the last digit
/// that the data have. PiDigits is left out; lag-1 autocorrelations and F of more groups are nothing that the program has.
struct ReferenceData: Sendable {
  let name: String
  /// How many of the numbers make one.
  let scale: Int
  let values: [Int128]
  let mean: Double
  let standardDeviation: Double

  private init(_ name: String, scale: Int = 1, _ text: String, mean: Double, standardDeviation: Double) {
    let values = text.split(whereSeparator: \.isWhitespace).compactMap { Int128($0) }
    self.init(name, scale: scale, values, mean: mean, standardDeviation: standardDeviation)
  }

  private init(_ name: String, scale: Int, _ values: [Int128], mean: Double, standardDeviation: Double) {
    (self.name, self.scale, self.values) = (name, scale, values)
    (self.mean, self.standardDeviation) = (mean, standardDeviation)
  }

  /// As NIST says how they are made: a number, and five hundred times the one a tenth below it and the one a tenth above.
  private static func alternating(_ name: String, about middle: Int128, mean: Double) -> ReferenceData {
    let values = [middle] + (0..<500).flatMap { _ in [middle - 1, middle + 1] }
    return ReferenceData(name, scale: 10, values, mean: mean, standardDeviation: 0.1)
  }

  static let all = [
    ReferenceData("Lew", lew, mean: -177.435, standardDeviation: 277.332168044316),
    ReferenceData("Lottery", lottery, mean: 518.958715596330, standardDeviation: 291.699727470969),
    ReferenceData("Mavro", scale: 100_000, mavro, mean: 2.001856, standardDeviation: 0.000429123454003053),
    ReferenceData("Michelso", scale: 100, michelso, mean: 299.8524, standardDeviation: 0.0790105478190518),
    ReferenceData("NumAcc1", "10000001 10000003 10000002", mean: 10_000_002, standardDeviation: 1),
    alternating("NumAcc2", about: 12, mean: 1.2), alternating("NumAcc3", about: 10_000_002, mean: 1_000_000.2),
    alternating("NumAcc4", about: 100_000_002, mean: 10_000_000.2),
  ]

  private static let lew = """
    -213 -564 -35 -15 141 115 -420 -360 203 -338 -431 194 -220 -513 154 -125 -559 92 -21 -579 -52 99 -543 -175
    162 -457 -346 204 -300 -474 164 -107 -572 -8 83 -541 -224 180 -420 -374 201 -236 -531 83 27 -564 -112 131
    -507 -254 199 -311 -495 143 -46 -579 -90 136 -472 -338 202 -287 -477 169 -124 -568 17 48 -568 -135 162 -430
    -422 172 -74 -577 -13 92 -534 -243 194 -355 -465 156 -81 -578 -64 139 -449 -384 193 -198 -538 110 -44 -577 -6
    66 -552 -164 161 -460 -344 205 -281 -504 134 -28 -576 -118 156 -437 -381 200 -220 -540 83 11 -568 -160 172
    -414 -408 188 -125 -572 -32 139 -492 -321 205 -262 -504 142 -83 -574 0 48 -571 -106 137 -501 -266 190 -391
    -406 194 -186 -553 83 -13 -577 -49 103 -515 -280 201 300 -506 131 -45 -578 -80 138 -462 -361 201 -211 -554 32
    74 -533 -235 187 -372 -442 182 -147 -566 25 68 -535 -244 194 -351 -463 174 -125 -570 15 72 -550 -190 172 -424
    -385 198 -218 -536 96
    """
  private static let lottery = """
    162 671 933 414 788 730 817 33 536 875 670 236 473 167 877 980 316 950 456 92 517 557 956 954 104 178 794 278
    147 773 437 435 502 610 582 780 689 562 964 791 28 97 848 281 858 538 660 972 671 613 867 448 738 966 139 636
    847 659 754 243 122 455 195 968 793 59 730 361 574 522 97 762 431 158 429 414 22 629 788 999 187 215 810 782
    47 34 108 986 25 644 829 630 315 567 919 331 207 412 242 607 668 944 749 168 864 442 533 805 372 63 458 777
    416 340 436 140 919 350 510 572 905 900 85 389 473 758 444 169 625 692 140 897 672 288 312 860 724 226 884
    508 976 741 476 417 831 15 318 432 241 114 799 955 833 358 935 146 630 830 440 642 356 373 271 715 367 393
    190 669 8 861 108 795 269 590 326 866 64 523 862 840 219 382 998 4 628 305 747 247 34 747 729 645 856 974 24
    568 24 694 608 480 410 729 947 293 53 930 223 203 677 227 62 455 387 318 562 242 428 968
    """
  private static let mavro = """
    200180 200170 200180 200190 200180 200170 200150 200140 200150 200150 200170 200180 200180 200190 200190
    200210 200200 200160 200140 200130 200130 200150 200150 200160 200150 200140 200130 200140 200150 200140
    200150 200160 200150 200160 200190 200200 200200 200210 200220 200230 200240 200250 200270 200260 200260
    200260 200270 200260 200250 200240
    """
  private static let michelso = """
    29985 29974 29990 30007 29993 29985 29995 29998 29998 29988 30000 29998 29993 29965 29976 29981 30000 30000
    29996 29996 29996 29994 29996 29994 29988 29980 29985 29988 29990 29984 29983 29979 29981 29988 29988 29983
    29980 29979 29976 29980 29988 29988 29988 29986 29972 29972 29962 29986 29997 29995 29988 29991 29985 29987
    29984 29984 29985 29984 29984 29984 29989 29981 29981 29982 29980 29977 29976 29974 29975 29976 29991 29992
    29989 29986 29988 29972 29984 29985 29985 29978 29989 29984 29978 29981 29976 29981 29979 29981 29982 29985
    29987 29987 29981 29974 29981 29994 29995 29980 29981 29987
    """

  /// Atomic weight of silver by two instruments (AtmWtAg), in ten-millionths.
  static let silver = [
    """
    1078681568 1078681465 1078681572 1078681785 1078681446 1078681903 1078681526 1078681494 1078681616 1078681587
    1078681519 1078681486 1078681419 1078681569 1078681508 1078681672 1078681385 1078681518 1078681662 1078681424
    1078681360 1078681333 1078681610 1078681477
    """,
    """
    1078681079 1078681344 1078681513 1078681197 1078681604 1078681385 1078681642 1078681365 1078681151 1078681082
    1078681517 1078681448 1078681198 1078681482 1078681334 1078681609 1078681101 1078681512 1078681469 1078681360
    1078681254 1078681261 1078681450 1078681368
    """,
  ].map { ReferenceData("AtmWtAg", scale: 10_000_000, $0, mean: .nan, standardDeviation: .nan) }

  /// - Throws: `SumsError`, which these data cannot have.
  func moments() throws -> SampleMoments {
    var sums = SufficientStatistics()
    for value in values { _ = sums.add(y: value) }
    return try SampleMoments(sums, kind: .mean, scale: SumScale(y: scale))
  }
}

/// What NIST certifies of them.
enum ReferenceTrials {
  private static let source = "NIST StRD, https://www.itl.nist.gov/div898/strd/"
  /// NIST certifies fifteen digits.
  private static let tolerance = 5e-15

  static var trials: [Trial] { ReferenceData.all.map(univariate) + [silver] }

  private static func univariate(_ data: ReferenceData) -> Trial {
    Trial(
      part: .reference, name: data.name, source: source, input: input(data),
      findings: {
        let moments = try data.moments()
        return [
          .number("\(data.name) mean", moments.meanY, data.mean, within: tolerance),
          .number(
            "\(data.name) standard deviation", moments.varianceY?.squareRoot(), data.standardDeviation,
            within: tolerance),
        ]
      })
  }

  private static func input(_ data: ReferenceData) -> String {
    "\(data.scale): " + data.values.map { "\($0)" }.joined(separator: " ")
  }

  private static let silver = Trial(
    part: .reference, name: "AtmWtAg", source: source, input: ReferenceData.silver.map(input).joined(separator: "\n"),
    findings: {
      let groups = try ReferenceData.silver.map { try $0.moments() }
      let test = Comparison(baseline: groups[0], other: groups[1])
      let t = (test.absDiff ?? .nan) / (test.standardError ?? .nan)
      let residual = ((groups[0].varianceY ?? .nan) + (groups[1].varianceY ?? .nan)) / 2
      return [
        .number("AtmWtAg F statistic", t * t, 15.9467335677930, within: 10 * tolerance),
        .number("AtmWtAg residual standard deviation", residual.squareRoot(), 1.51048314446410e-05, within: tolerance),
      ]
    })
}
