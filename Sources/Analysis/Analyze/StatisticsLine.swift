import Domain
import Jobs
import Measurement
import Statistics

/// One line of a table of sufficient statistics, read and found possible.
struct StatisticsLine {
  var line: Int
  var offering: Identifier
  var group: Identifier
  var segment: Identifier
  var metric: Identifier
  var kind: MetricKind
  /// How many of the sums' units make one of the value's.
  var scale: Int128
  var primary: Bool?
  var goal: Goal?
  /// The lift that does not matter.
  var margin: Double?
  var guardrail: Bool?
  var moments: SampleMoments
}

extension StatisticsLine {
  /// Reads a record.
  ///
  /// - Throws: `OfferliftError` 65 naming the line, the column and what would be right.
  init(_ row: StatisticsFile.Row) throws {
    line = row.line
    offering = Identifier(row.text("offering_id") ?? "")
    group = Identifier(try row.required("test_group_id"))
    segment = row.text("segment").map { Identifier($0) } ?? CellKey.everybody
    metric = Identifier(try row.required("metric"))
    kind = try row.word("kind", of: MetricKind.self) ?? row.missing("kind")
    goal = try row.word("goal", of: Goal.self)
    primary = try row.flag("primary")
    margin = try Self.margin(row)
    guardrail = try row.flag("guardrail")
    let power = try Self.powerOfTen(row)
    scale = (0..<power).reduce(1) { scale, _ in scale * 10 }
    do {
      for name in Self.needed(kind) { _ = try row.required(name) }
      if let integers = Self.integers(row, kind: kind) {
        moments = try SampleMoments(integers, kind: kind, scale: SumScale(y: Int(scale), c: Int(scale)))
      } else {
        moments = try SampleMoments(Self.decimals(row, power: power), kind: kind)
      }
    } catch let error as SumsError {
      throw row.error("\(error)")
    }
  }

  private static func margin(_ row: StatisticsFile.Row) throws -> Double? {
    guard let text = row.text("margin") else { return nil }
    guard let margin = Double(text), margin > 0, margin < 1 else {
      throw row.error("margin \"\(text)\" is not a lift between 0 and 1; write 0.02 for 2 %.")
    }
    return margin
  }

  /// The sums if all are whole, as a run has them: so that a run's own table gives its figures to the last bit.
  private static func integers(_ row: StatisticsFile.Row, kind: MetricKind) -> SufficientStatistics? {
    let names = ["n", "sum_y", "sum_yy", "sum_x", "sum_xx", "sum_xy", "sum_c", "sum_cc", "sum_yc", "sum_xc"]
    var sums: [Int128] = []
    for name in names {
      guard let sum = Int128(row.text(name) ?? "0") else { return nil }
      sums.append(sum)
    }
    if kind == .proportion, row.text("sum_yy") == nil { sums[2] = sums[1] }
    return SufficientStatistics(
      n: sums[0], sumY: sums[1], sumYY: sums[2], sumX: sums[3], sumXX: sums[4], sumXY: sums[5], sumC: sums[6],
      sumCC: sums[7], sumYC: sums[8], sumXC: sums[9])
  }

  /// The sums as typed in, brought to the value's unit by their exponents.
  private static func decimals(_ row: StatisticsFile.Row, power: Int) -> DecimalSums {
    func sum(_ name: String, units: Int) -> String? {
      row.text(name).map { shifted($0, by: -power * units) }
    }
    return DecimalSums(
      n: row.text("n") ?? "", sumY: sum("sum_y", units: 1) ?? "", sumYY: sum("sum_yy", units: 2),
      sumX: sum("sum_x", units: 0), sumXX: sum("sum_xx", units: 0), sumXY: sum("sum_xy", units: 1),
      sumC: sum("sum_c", units: 1), sumCC: sum("sum_cc", units: 2), sumYC: sum("sum_yc", units: 2),
      sumXC: sum("sum_xc", units: 1))
  }

  /// The sums a kind cannot do without.
  private static func needed(_ kind: MetricKind) -> [String] {
    switch kind {
    case .proportion: ["n", "sum_y"]
    case .mean: ["n", "sum_y", "sum_yy"]
    case .ratio: ["n", "sum_y", "sum_yy", "sum_x", "sum_xx", "sum_xy"]
    }
  }

  /// `12.5` by −6 is `12.5e-6`; a number that has an exponent already gets the sum of both.
  private static func shifted(_ number: String, by power: Int) -> String {
    let parts = number.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard power != 0, let mantissa = parts.first else { return number }
    guard parts.count == 2 else { return "\(number)e\(power)" }
    // What is no exponent, or beyond any sum, is left for the reader of numbers to refuse.
    guard let exponent = Int(parts[1]), abs(exponent / 1000) == 0 else { return number }
    return "\(mantissa)e\(exponent + power)"
  }

  /// The scale as a power of ten; 1 where there is none.
  private static func powerOfTen(_ row: StatisticsFile.Row) throws -> Int {
    guard let text = row.text("scale") else { return 0 }
    let digits = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
    guard digits.first == "1", digits.dropFirst().allSatisfy({ $0 == "0" }), digits.count <= 19 else {
      throw row.error("scale \"\(text)\" is not a power of ten; write 1, or 1000000 for sums of millionths.")
    }
    return digits.count - 1
  }
}
