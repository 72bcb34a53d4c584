import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// `analyze`: comparisons from a table of sums.
struct AnalyzeTests {
  private func table(
    _ text: String, _ change: (inout AnalyzeArguments) -> Void = { _ in }, job: Job? = nil
  ) throws -> AnalyzeTable {
    var arguments = AnalyzeArguments(name: "sums.csv")
    arguments.decideBy = "fixed"
    change(&arguments)
    return try AnalyzeTable(Array(text.utf8), arguments: arguments, job: job)
  }

  private func refusal(
    _ text: String, _ change: (inout AnalyzeArguments) -> Void = { _ in }
  ) throws -> OfferliftError {
    try #require(throws: OfferliftError.self) { try table(text, change) }
  }

  private let conversion = """
    test_group_id,metric,kind,n,sum_y,sum_yy
    control,conversion,proportion,10000,410,410
    group_a,conversion,proportion,10000,480,480
    """

  @Test("The first group is the baseline and every metric is primary")
  func firstGroupBaseline() throws {
    let row = try #require(try table(conversion).comparisons.first)
    #expect(row.baseline == "control")
    #expect(row.primary)
    #expect(row.decision == .better)
    #expect(abs(try #require(row.pValue) - 0.016376157545941683) < 1e-12, "statsmodels, proportions_ztest")
  }

  @Test("What is empty has its own reason, and an interval holds its lift")
  func emptyFigures() throws {
    func reason(_ baseline: String, _ other: String, _ method: String = "fieller") throws -> NotComputable? {
      let text = "test_group_id,metric,kind,n,sum_y,sum_yy\nc,m,mean,1000,\(baseline)\nb,m,mean,1000,\(other)\n"
      return try #require(try table(text) { $0.liftInterval = method }.comparisons.first).notComputable
    }
    #expect(try reason("500,4000", "600,5000") == nil)
    #expect(try reason("-500,4000", "600,5000") == .negativeBaseline)
    #expect(try reason("500,4000", "-100,4000", "log") == .noLogarithm)
    #expect(try reason("500,4000", "0,0") == .noSpread)
    let ratio = """
      test_group_id,metric,kind,n,sum_y,sum_yy,sum_x,sum_xx,sum_xy
      c,net,ratio,5000,10000.5,200000,1000,1000,10000.5
      b,net,ratio,5000,-5000.25,200000,1000,1000,-5000.25
      """
    let row = try #require(try table(ratio).comparisons.first)
    #expect(try #require(row.decidedLiftInterval).contains(try #require(row.lift)))
  }

  @Test("Another baseline, confidence and method may be asked for")
  func anotherBaselineConfidence() throws {
    let row = try #require(
      try table(conversion) {
        $0.baseline = "group_a"
        $0.confidence = 0.99
        $0.liftInterval = "delta"
      }.comparisons.first)
    #expect(row.baseline == "group_a")
    #expect(row.decision == .inconclusive)
  }

  @Test("Without a primary metric the job's first is no mere description, as in a run")
  func withoutPrimaryMetric() throws {
    let requests = ["first", "second"].map { MetricRequest(name: $0, id: $0, line: 1) }
    let text = """
      test_group_id,metric,kind,n,sum_y
      control,second,proportion,1000,50
      a,second,proportion,1000,60
      control,first,proportion,1000,50
      a,first,proportion,1000,60
      """
    let rows = try table(text, job: HandMade.job { $0.metrics = requests }).comparisons
    #expect(rows.map(\.key.metric.text) == ["second", "first"])
    #expect(rows.map(\.isDescriptive) == [true, false])
  }

  @Test("It says what a run says of the same sums")
  func saysRunSays() throws {
    let offering = HandMade.offering(
      HandMade.group(
        "control", users: 5000, HandMade.proportion(200, of: 5000), HandMade.money(200, paying: 9, of: 5000)),
      HandMade.group(
        "group_a", users: 5000, HandMade.proportion(260, of: 5000), HandMade.money(240, paying: 9, of: 5000)))
    let metrics = [HandMade.conversion, HandMade.revenue]
    let job = HandMade.job()
    let night = try HandMade.night(offering, metrics: metrics, job: job)
    let sums = CSVExporter.bytes(of: SufficientStatisticsTable().table(of: night))
    var withRequests = job
    withRequests.metrics = metrics.map(\.request)
    let analyzed = try AnalyzeTable(sums, arguments: AnalyzeArguments(name: "sums.csv"), job: withRequests)
    let ours = ComparisonsTable().table(of: night.comparisons)
    #expect(
      CSVExporter.bytes(of: ComparisonsTable().table(of: analyzed.comparisons))
        == CSVExporter.bytes(of: ours))
  }

  @Test("With a job the baseline is the run's, not the first line's")
  func jobBaselineRun() throws {
    let lines = """
      test_group_id,metric,kind,n,sum_y
      apple,conversion,proportion,1000,50
      control,conversion,proportion,1000,60
      """
    #expect(try table(lines).comparisons.map(\.baseline) == ["apple"])
    #expect(try table(lines, job: HandMade.job()).comparisons.map(\.baseline) == ["control"])
    let job = HandMade.job { $0.baseline.byOffering = ["": "pear"] }
    #expect(try table(lines, job: job).comparisons.isEmpty)
    #expect(try table(lines, job: job).checks.first { $0.name == "baseline" }?.status == .warn)
  }

  @Test("Sums may have decimals, exponents, a scale and a spreadsheet's semicolons")
  func sumsMayDecimals() throws {
    let plain = try table(
      """
      test_group_id;metric;kind;n;sum_y;sum_yy
      control;revenue;mean;1000;123.5;1500.25
      group_a;revenue;mean;1000;150.25;1.6005e3
      """)
    let scaled = try table(
      """
      n,kind,scale,metric,extra,test_group_id,sum_y,sum_yy
      1000,mean,1000000,revenue,,control,123500000,1500250000000000
      1000,mean,1000000,revenue,,group_a,150250000,1600500000000000
      """)
    #expect(plain.comparisons[0].value == 0.15025)
    #expect(scaled.comparisons[0].pValue == plain.comparisons[0].pValue)
    #expect(scaled.comparisons[0].difference == plain.comparisons[0].difference)
  }

  @Test("Several offerings, segments and metrics each find their own baseline")
  func severalOfferingsSegments() throws {
    let rows = try table(
      """
      offering_id,test_group_id,segment,metric,kind,n,sum_y
      spring,a,all,conversion,proportion,1000,50
      spring,b,all,conversion,proportion,1000,60
      spring,a,country=DE,conversion,proportion,500,20
      spring,b,country=DE,conversion,proportion,500,30
      summer,x,all,conversion,proportion,1000,50
      summer,y,all,conversion,proportion,1000,70
      """
    ).comparisons
    #expect(rows.map(\.baseline) == ["a", "a", "x"])
    #expect(rows.map(\.key.segment) == ["all", "country=DE", "all"])
  }

  @Test("Weights bring the sample-ratio check, and its failure takes the trust away")
  func weightsBringSample() throws {
    let uneven = conversion.replacing(
      "group_a,conversion,proportion,10000", with: "group_a,conversion,proportion,9000")
    #expect(try table(uneven).checks.map(\.name) == ["small_counts"])
    let checked = try table(uneven) { $0.weights = "control=1,group_a=1" }
    #expect(checked.checks.map(\.status) == [.fail, .fail, .pass])
    #expect(checked.comparisons.map(\.decision) == [.doNotTrust])
  }

  @Test(
    "Sums no users can have are refused with line and remedy",
    arguments: [
      ("410,410", "410,400", "line 2: the sums of a proportion must be those of zeros and ones"),
      ("410,410", "x,410", "line 2: sum_y \"x\" is not a decimal number; write it like 12.345 or 1e-05."),
      ("410,410", ",410", "line 2: sum_y is empty; every line of its kind needs it."),
      ("410,410", "410", "line 2: 5 fields where the header has 6."),
      (
        "group_a,conversion,proportion", "group_a,conversion,median",
        "line 3: kind \"median\" is none of proportion, mean, ratio; did you mean \"mean\"?"
      ),
      (
        "group_a,conversion,proportion", "group_a,conversion,ratio",
        "line 3: sum_x is empty; every line of its kind needs it."
      ),
      (
        "group_a,conversion", "control,conversion",
        "line 3: group control, segment all, metric conversion stands on line 2"
      ),
      ("480,480", "\"480,480", "line 3: a quote is opened and never closed."),
      ("test_group_id", "grp", "line 1: no column test_group_id; the header has grp, metric"),
    ])
  func sumsUsersCan(
    original: String, replacement: String, message: String
  ) throws {
    let error = try refusal(conversion.replacing(original, with: replacement, maxReplacements: 1))
    #expect(error.exit == .badData)
    #expect(error.message.hasPrefix("sums.csv, \(message)"))
  }

  @Test("An empty table says what its header must name")
  func emptyTableSays() throws {
    #expect(try refusal("").message.hasPrefix("sums.csv is empty; its first line must name the columns"))
  }

  @Test("A baseline that is in no line, and other slips of typing, are usage errors")
  func baselineLineOther() throws {
    let errors = [
      try refusal(conversion) { $0.baseline = "group_z" }, try refusal(conversion) { $0.confidence = 95 },
      try refusal(conversion) { $0.adjust = "bonferroni" }, try refusal(conversion) { $0.prior = "0" },
      try refusal(conversion) { $0.weights = "control" }, try refusal(conversion) { $0.tuning = 0 },
    ]
    #expect(errors.map(\.exit) == Array(repeating: .usage, count: errors.count))
    #expect(
      errors[0].message
        == "sums.csv has no group group_z to be the baseline; it has control and group_a.")
    #expect(errors[2].message == "--adjust \"bonferroni\" is none of holm, hochberg, bh, by, none.")
  }

  @Test("CSV goes to stdout and checks to stderr; JSON holds both")
  func csvGoesStdout() throws {
    var arguments = AnalyzeArguments(name: "sums.csv")
    arguments.weights = "control=1,group_a=1"
    let csv = try AnalyzeReport(table: Array(conversion.utf8), arguments: arguments)
    #expect(csv.output.hasPrefix("job,as_of,offering_id,baseline_group_id,"))
    #expect(csv.notes.first?.hasPrefix("pass: sample_ratio: Users fell into the groups as weighted") == true)
    arguments.format = "json"
    let json = try AnalyzeReport(table: Array(conversion.utf8), arguments: arguments)
    #expect(json.notes.isEmpty)
    #expect(json.output.contains("\"check\": \"sample_ratio\""))
    #expect(json.output.contains("\"exact_p_value\": null"))
  }
}

/// Bytes nobody meant to hand in.
struct AnalyzeFuzzTests {
  /// A fixed sequence of random numbers (SplitMix64), so that a failure can be seen again.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private let seeds = [
    "offering_id,test_group_id,segment,metric,kind,scale,n,sum_y,sum_yy,sum_x,sum_xx,sum_xy\n",
    "spring,a,all,rate,ratio,1000000,100,5e3,9000000,10,12,\"600\"\n",
    "spring,b,all,rate,ratio,1000000,90,5,40,9,9,5\n",
  ].joined()

  @Test("Any bytes end in a table or in an error with file and line")
  func bytesEndTable() {
    var dice = Dice(state: 20_260_331)
    let spice = Array("0123456789,;\t\"\r\n-.e+E=@'\u{FEFF}é\0".utf8)
    for _ in 0..<3000 {
      var bytes = Array(seeds.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let position = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<3, using: &dice) {
        case 0: bytes[position] = spice.randomElement(using: &dice) ?? 0
        case 1: bytes.insert(spice.randomElement(using: &dice) ?? 0, at: position)
        default: bytes.remove(at: position)
        }
      }
      var arguments = AnalyzeArguments(name: "sums.csv")
      arguments.weights = "a=1,b=1"
      do {
        _ = try AnalyzeReport(table: bytes, arguments: arguments)
      } catch {
        #expect((error as? OfferliftError)?.exit == .badData)
        #expect("\(error)".hasPrefix("sums.csv"))
      }
    }
  }

  @Test(
    "Exponents beyond reason are refused, not computed",
    arguments: [
      "1e9223372036854775807", "1e-9223372036854775808", "1e401", "e", "1e", "--1", "1e+-1", "9e99",
    ])
  func exponentsBeyondReason(number: String) {
    let text = """
      test_group_id,metric,kind,scale,n,sum_y,sum_yy
      a,revenue,mean,1000000,10,\(number),5
      b,revenue,mean,1000000,10,1,5
      """
    #expect(throws: OfferliftError.self) {
      try AnalyzeReport(table: Array(text.utf8), arguments: AnalyzeArguments(name: "sums.csv"))
    }
  }
}
