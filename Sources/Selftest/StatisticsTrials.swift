import Domain
import Statistics

/// Distributions, tests, intervals and plans, held against published programs.
enum StatisticsTrials {
  private static let sources = [
    "normal": "mpmath", "t": "mpmath", "chi2": "mpmath", "noncentralT": "mpmath",
    "comparison": "SciPy, statsmodels, mpmath",
    "estimate": "SciPy, statsmodels", "fisher": "SciPy", "boschloo": "a fine grid of exact binomials",
    "power": "statsmodels",
    "users": "statsmodels", "adjustment": "statsmodels", "sampleRatio": "SciPy, mpmath", "kaplanMeier": "lifelines",
    "logRank": "statsmodels", "rankSum": "SciPy", "cuped": "tea-tasting, SciPy",
  ]

  /// A trial a function: the name before a point is a family's.
  static func trials(_ cases: [PublishedCase]) -> [Trial] {
    let own = cases.filter { !$0.function.hasPrefix("c.") }
    return Dictionary(grouping: own, by: \.function).sorted { $0.key < $1.key }.map { name, cases in
      let family = name.split(separator: ".").first.map(String.init) ?? name
      return Trial(
        part: .statistics, name: name, source: sources[family] ?? "mpmath",
        input: cases.map(\.text).joined(separator: "\n"),
        findings: { try cases.enumerated().flatMap { try findings(of: $1, "\(name) \($0 + 1)") } })
    }
  }

  private static func findings(of known: PublishedCase, _ label: String) throws -> [Finding] {
    if let distribution = distributions[known.function] {
      return [.number(label, distribution(known.arguments.numbers), known.value.double, within: 1e-12)]
    }
    guard let figures = try figures(of: known) else {
      throw OfferliftError(.internalError, "no function computes the case \(known.function)")
    }
    return figures.map { figure in
      .number("\(label) \(figure.name)", figure.found, figure.expected, within: 1e-10, absolute: figure.absolute)
    }
  }

  private static let distributions: [String: @Sendable ([Double]) -> Double?] = [
    "normal.upperQuantile": { Normal.upperQuantile($0[0]) },
    "t.sf": { StudentT(degreesOfFreedom: $0[0])?.sf($0[1]) },
    "t.upperQuantile": { StudentT(degreesOfFreedom: $0[0])?.upperQuantile($0[1]) },
    "chi2.sf": { ChiSquared(degreesOfFreedom: $0[0])?.sf($0[1]) },
    "noncentralT.sf": { NoncentralT(degreesOfFreedom: $0[0], noncentrality: $0[1])?.sf($0[2]) },
    "noncentralT.cdf": { NoncentralT(degreesOfFreedom: $0[0], noncentrality: $0[1])?.cdf($0[2]) },
  ]

  private struct Figure {
    var name: String
    var found: Double?
    var expected: Double?
    var absolute = 0.0

    init(_ name: String, _ found: Double?, _ value: PublishedValue, absolute: Double = 0) {
      (self.name, self.found, expected, self.absolute) = (name, found, value[name].double, absolute)
    }
  }

  /// Nil of a function that is not known.
  private static func figures(of known: PublishedCase) throws -> [Figure]? {
    let (arguments, value) = (known.arguments, known.value)
    switch known.function {
    case "comparison": return try comparison(arguments, value)
    case "estimate": return try estimate(arguments, value)
    case "fisher", "boschloo": return exact(known.function, arguments.integers, value)
    case "adjustment":
      let method = arguments["method"].string.flatMap(Adjustment.init) ?? .none
      return zip(method.adjusted(arguments["values"].numbers), value.numbers).map { plain($0, $1) }
    case "sampleRatio":
      let ratio = SampleRatio(counts: arguments["counts"].integers, weights: arguments["weights"].numbers)
      return [
        Figure("chiSquare", ratio?.chiSquare, value, absolute: 1e-18), Figure("pValue", ratio?.pValue, value),
        Figure("sequentialPValue", ratio?.sequentialPValue, value),
      ]
    case "logRank":
      let test = LogRank(baseline: counts(arguments["a"]), other: counts(arguments["b"]))
      return [Figure("chiSquare", test?.chiSquare, value), Figure("pValue", test?.pValue, value)]
    case "kaplanMeier":
      let points = SurvivalCurve(counts(arguments))?.points ?? []
      return zip(points, value.list).flatMap { point, row in
        zip([point.survival, point.interval?.low, point.interval?.high], [0, 2, 3].map { row.list[$0].double })
          .map { plain($0, $1) }
      }
    case "rankSum":
      let (a, b) = (ValueCounts(arguments["a"]), ValueCounts(arguments["b"]))
      let test = a.flatMap { a in b.flatMap { RankSum(baseline: a, other: $0) } }
      return [Figure("statistic", test?.statistic, value), Figure("pValue", test?.pValue, value)]
    case "cuped": return try cuped(arguments, value)
    default: return power(known.function, arguments.numbers, value)
    }
  }

  private static func plain(_ found: Double?, _ expected: Double?) -> Figure {
    var figure = Figure("value", found, .null)
    figure.expected = expected
    return figure
  }

  // MARK: - Groups

  private static func comparison(_ arguments: PublishedValue, _ value: PublishedValue) throws -> [Figure] {
    let (a, b) = (try SampleMoments(arguments["a"], arguments), try SampleMoments(arguments["b"], arguments))
    var options = ComparisonOptions(arguments)
    let once = Comparison(baseline: a, other: b, options: options)
    options.decides = EveryLook(tuning: arguments["tuning"].double ?? 5000)
    let nightly = Comparison(baseline: a, other: b, options: options).outcome(of: options.decides)
    let absolute = 1e-13 * (abs(once.absDiff ?? 0) + (once.standardError ?? 0))
    return [
      Figure("absDiff", once.absDiff, value, absolute: absolute), Figure("relLift", once.relLift, value),
      Figure("standardError", once.standardError, value), Figure("pValue", once.pValue, value),
      Figure("absLow", once.absInterval?.low, value, absolute: absolute),
      Figure("absHigh", once.absInterval?.high, value, absolute: absolute),
      Figure("relLow", once.relInterval?.low, value), Figure("relHigh", once.relInterval?.high, value),
      Figure("chanceToWin", once.chanceToWin, value), Figure("expectedLoss", once.expectedLoss, value),
      Figure("sequentialPValue", nightly?.pValue, value),
      Figure("sequentialAbsLow", nightly?.absInterval?.low, value, absolute: absolute),
      Figure("sequentialRelHigh", nightly?.relInterval?.high, value),
    ]
  }

  private static func estimate(_ arguments: PublishedValue, _ value: PublishedValue) throws -> [Figure] {
    let moments = try SampleMoments(arguments["a"], arguments)
    let estimate = Estimate(moments, alpha: arguments["alpha"].double ?? 0.05)
    let absolute = 1e-13 * (value["standardError"].double ?? 0)
    return [
      Figure("value", estimate.value, value), Figure("standardError", estimate.standardError, value),
      Figure("low", estimate.interval?.low, value, absolute: absolute),
      Figure("high", estimate.interval?.high, value, absolute: absolute),
    ]
  }

  private static func cuped(_ arguments: PublishedValue, _ value: PublishedValue) throws -> [Figure] {
    let groups = try arguments["groups"].list.map { try SampleMoments($0, arguments) }
    let adjustment = CovariateAdjustment(groups: groups)
    let frames = adjustment?.frames.compactMap { $0 } ?? []
    let result =
      frames.count == 2
      ? Comparison(baseline: frames[0], other: frames[1], options: ComparisonOptions(liftInterval: .log)) : nil
    return [
      Figure("theta", adjustment?.theta, value), Figure("value", result?.value, value),
      Figure("pValue", result?.pValue, value),
    ]
  }

  private static func exact(_ name: String, _ k: [Int], _ value: PublishedValue) -> [Figure] {
    if name == "fisher" {
      let test = FisherTest(successesA: k[0], usersA: k[1], successesB: k[2], usersB: k[3])
      return [
        Figure("twoSided", test?.twoSided, value), Figure("less", test?.less, value),
        Figure("greater", test?.greater, value),
      ]
    }
    let test = BoschlooTest(successesA: k[0], usersA: k[1], successesB: k[2], usersB: k[3])
    return [
      Figure("twoSided", test?.twoSided, value), Figure("less", test?.less, value),
      Figure("greater", test?.greater, value),
    ]
  }

  private static func power(_ name: String, _ k: [Double], _ value: PublishedValue) -> [Figure]? {
    let isMean = name.hasSuffix(".mean")
    guard isMean || name.hasSuffix(".proportion") else { return nil }
    let baseline: Power.Baseline = isMean ? .mean(k[0], standardDeviation: k[1]) : .proportion(k[0])
    if name.hasPrefix("users.") {
      let users = Power(power: k[k.count - 1]).users(baseline: baseline, lift: k[k.count - 2])
      return [plain(users.map(Double.init), value.double)]
    }
    let rest = Array(k.suffix(4))
    let found = Power(alpha: rest[3], ratio: rest[2]).power(baseline: baseline, lift: rest[0], users: rest[1])
    return [plain(found, value.double)]
  }

  private static func counts(_ json: PublishedValue) -> [SurvivalCount] {
    json.list.map { SurvivalCount(time: $0.integers[0], ended: $0.integers[1], censored: $0.integers[2]) }
  }
}

extension ValueCounts {
  fileprivate init?(_ json: PublishedValue) {
    self.init(json.list.map { (key: Int128($0.integers[0]), value: $0.integers[1]) })
  }
}

extension SampleMoments {
  fileprivate init(_ group: PublishedValue, _ arguments: PublishedValue) throws {
    func sum(_ field: String) -> Int128 { group[field].string.flatMap { Int128($0) } ?? 0 }
    let sums = SufficientStatistics(
      n: sum("n"), sumY: sum("sumY"), sumYY: sum("sumYY"), sumX: sum("sumX"), sumXX: sum("sumXX"), sumXY: sum("sumXY"),
      sumC: sum("sumC"), sumCC: sum("sumCC"), sumYC: sum("sumYC"), sumXC: sum("sumXC"))
    let kind = arguments["kind"].string.flatMap(MetricKind.init) ?? .mean
    try self.init(sums, kind: kind, scale: SumScale(y: Int(arguments["scale"].double ?? 1)))
  }
}

extension ComparisonOptions {
  fileprivate init(_ arguments: PublishedValue) {
    self.init(alpha: arguments["alpha"].double ?? 0.05)
    liftInterval = arguments["method"].string.flatMap(LiftIntervalMethod.init) ?? .fieller
    goal = arguments["goal"].string.flatMap(Goal.init) ?? .increase
    let prior = arguments["prior"].numbers
    if prior.count == 2 { self.prior = NormalPrior(mean: prior[0], standardDeviation: prior[1]) }
  }
}
