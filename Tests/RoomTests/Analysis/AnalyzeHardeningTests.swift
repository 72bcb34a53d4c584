import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

/// Sums nobody can have, and sums at the edge of what numbers hold.
struct AnalyzeHardeningTests {
  private static let columns = "test_group_id,metric,kind,n,sum_y,sum_yy,sum_x,sum_xx,sum_xy,sum_c,sum_cc,sum_yc,sum_xc"

  private func report(_ lines: [String], _ change: (inout AnalyzeArguments) -> Void = { _ in }) throws -> AnalyzeReport
  {
    var arguments = AnalyzeArguments(name: "sums.csv")
    arguments.format = "json"
    change(&arguments)
    let text = ([Self.columns] + lines).joined(separator: "\n")
    return try AnalyzeReport(table: Array(text.utf8), arguments: arguments)
  }

  /// The comparison's row as JSON, and the checks' names with their subjects.
  private func row(_ lines: [String]) throws -> (row: [String: Any], checks: [String]) {
    let output = try report(lines).output
    #expect(!hasStrayNumbers(output))
    let tables = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: [[String: Any]]])
    let checks = tables["checks"]?.compactMap { $0["subject"] as? String } ?? []
    return (try #require(tables["comparisons"]?.first), checks)
  }

  /// NaN and infinities, in the words Swift has for them.
  private func hasStrayNumbers(_ output: String) -> Bool {
    ["nan", "inf"].contains { word in output.lowercased().firstRange(of: ": \(word)") != nil || output.contains("-inf")
    }
  }

  @Test(
    "What cannot be computed is empty, with a check that says why",
    arguments: [
      ("a,m,mean,0,0,0,,,,,,,", "no_users", "baseline_value"), ("a,m,mean,1,5,25,,,,,,,", "one_user", "p_value"),
      ("a,m,mean,100,0,0,,,,,,,", "zero_baseline", "rel_lift"),
      ("a,m,ratio,100,10,20,0,0,0,,,,", "no_denominator", "abs_diff"),
      ("a,m,proportion,100,0,,,,,,,,", "zero_baseline", "rel_lift"),
    ])
  func cannotComputedEmpty(line: String, gap: String, column: String) throws {
    let kind = line.split(separator: ",")[2]
    let other = kind == "ratio" ? "b,m,ratio,100,10,20,50,60,12,,,," : "b,m,\(kind),100,20,20,,,,,,,"
    let (row, checks) = try row([line, other])
    #expect(row[column] is NSNull)
    #expect(checks.contains("metric m, \(gap)"))
  }

  @Test("Groups in which nobody differs have no p-value")
  func groupsNobodyDiffers() throws {
    let (row, checks) = try row(["a,m,mean,10,50,250,,,,,,,", "b,m,mean,10,60,360,,,,,,,"])
    #expect(row["p_value"] is NSNull)
    #expect(row["abs_diff"] as? Double == 1)
    #expect(Set(checks) == ["metric m", "metric m, no_variation_within"])
  }

  @Test(
    "Sums no users can have leave with 65 and name the row",
    arguments: [
      "-5,1,1", "NaN,1,1", "inf,1,1", "1.5,1,1", "10,NaN,1", "10,inf,1", "10,1,-inf", "10,1,", "10,,1", ",1,1",
      "10,100,50", "10,1,-1", "0,1,1", "1,5,24", "1e401,1,1", "10,1e999999999999,1", "10,1,1e-999999999999", "0x10,1,1",
      "1_0,1,1", "10,1 0,1", "１０,1,1",
    ])
  func sumsUsersCan(sums: String) throws {
    let error = try #require(throws: OfferliftError.self) {
      try report(["a,m,mean,10,5,5,,,,,,,", "b,m,mean,\(sums),,,,,,,"])
    }
    #expect(error.exit == .badData)
    #expect(error.message.hasPrefix("sums.csv, line 3: "))
  }

  @Test("A margin is a lift between 0 and 1", arguments: ["0", "1", "-0.1", "2", "x", "nan", "inf", "2%"])
  func marginLiftBetween(margin: String) throws {
    let text = "test_group_id,metric,kind,n,sum_y,margin\na,m,proportion,100,20,\(margin)\n"
    let error = try #require(throws: OfferliftError.self) {
      try AnalyzeReport(table: Array(text.utf8), arguments: AnalyzeArguments(name: "sums.csv"))
    }
    #expect(
      error.message == "sums.csv, line 2: margin \"\(margin)\" is not a lift between 0 and 1; write 0.02 for 2 %.")
  }

  @Test(
    "A metric has one goal, one margin and is a guardrail or not",
    arguments: [
      ("increase,0.02,true", "decrease,,", "goal"), ("decrease,0.02,true", ",0.03,", "margin"),
      (",,true", ",,false", "guardrail"),
    ])
  func metricOneGoal(first: String, second: String, column: String)
    throws
  {
    let text = """
      test_group_id,metric,kind,n,sum_y,goal,margin,guardrail
      a,refunds,proportion,500,50,\(first)
      b,refunds,proportion,500,50,\(second)
      """
    let error = try #require(throws: OfferliftError.self) {
      try AnalyzeReport(table: Array(text.utf8), arguments: AnalyzeArguments(name: "sums.csv"))
    }
    #expect(error.message == "sums.csv, line 3: metric refunds has another \(column) than on line 2.")
  }

  @Test("A table may mark guardrails and margins")
  func tableMayMark() throws {
    let text = """
      test_group_id,metric,kind,n,sum_y,goal,margin,guardrail
      a,refunds,proportion,50000,5000,decrease,0.1,true
      b,refunds,proportion,50000,5000,decrease,0.1,true
      a,opened,proportion,50000,25000,,0.05,
      b,opened,proportion,50000,25010,,0.05,
      """
    var arguments = AnalyzeArguments(name: "sums.csv")
    arguments.decideBy = "fixed"
    let table = try AnalyzeTable(Array(text.utf8), arguments: arguments)
    #expect(table.comparisons.map(\.decision) == [.notWorse, .equivalent])
  }

  @Test("Whatever the sums, figures are numbers and do not contradict each other")
  func whateverSumsFigures() throws {
    var dice = SplitMix(state: 20_260_401)
    var analyzed = 0
    for _ in 0..<1200 {
      let kind = ["proportion", "mean", "ratio"].randomElement(using: &dice) ?? "mean"
      let lines = ["a", "b", "c"].map { "\($0),m,\(kind),\(sums(kind, &dice))" }
      do {
        let output = try report(lines) { $0.decideBy = Bool.random(using: &dice) ? "fixed" : "sequential" }.output
        #expect(!hasStrayNumbers(output), "\(lines)")
        try expectAgreement(output, lines)
        analyzed += 1
      } catch let error as OfferliftError {
        #expect(error.exit == .badData, "\(lines)")
        #expect(error.message.hasPrefix("sums.csv, line "), "\(lines)")
      }
    }
    #expect(analyzed > 300)
  }

  /// Sums of a kind: mostly possible ones of every size, some not.
  private func sums(_ kind: String, _ dice: inout SplitMix) -> String {
    let sizes = ["0", "1", "2", "3", "100", "12345", "1000000000", "1e15", "1e30"]
    let n = sizes.randomElement(using: &dice) ?? "0"
    let users = Double(n) ?? 0
    let scales: [Double] = [1e-200, 1e-12, 1, 1, 1, 1e6, 1e80, 1e190]
    let shares: [Double] = [0, 1e-9, 0.01, 0.3, 0.5, 1]
    let scale = scales.randomElement(using: &dice) ?? 1
    let share = shares.randomElement(using: &dice) ?? 0
    let (y, spread) = (users * share * scale, Double.random(in: 0.99...3, using: &dice))
    if kind == "proportion" { return "\(n),\((users * share).rounded()),,,,,,,," }
    let yy = users > 0 ? (y * y / users) * spread : 0
    let c = Bool.random(using: &dice) ? ",,,," : ",\(users * 2),\(users * 5),\(y * 2),"
    if kind == "mean" { return "\(n),\(y),\(yy),,,\(c)".replacing("inf", with: "9") }
    let x = users * Double(Int.random(in: 0...3, using: &dice))
    let xx = users > 0 ? x * x / users * 1.5 : 0
    return "\(n),\(y),\(yy),\(x),\(xx),\(users > 0 ? x * y / users : 0)\(c)"
  }

  /// p < α, an interval without 0 and a verdict are one and the same, where the test is Welch's.
  private func expectAgreement(_ output: String, _ lines: [String]) throws {
    let tables = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: [[String: Any]]]
    for row in tables?["comparisons"] ?? [] {
      for prefix in ["", "seq_"] where prefix == "seq_" || ["score", "welch"].contains(row["test"] as? String) {
        guard let pValue = row["\(prefix)p_value"] as? Double else { continue }
        for kind in ["abs", "rel"] {
          guard let low = row["\(prefix)\(kind)_ci_low"] as? Double,
            let high = row["\(prefix)\(kind)_ci_high"] as? Double
          else { continue }
          #expect((pValue < 0.05) == (low > 0 || high < 0), "\(prefix)\(kind) of \(lines)")
          #expect(low <= high + 1e-12 * abs(high), "\(prefix)\(kind) of \(lines)")
        }
      }
      if ["better", "worse"].contains(row["decision"] as? String) {
        #expect((row["p_value_adjusted"] as? Double).map { $0 < 0.05 } == true, "\(lines)")
      }
    }
  }
}

/// A fixed sequence of random numbers (SplitMix64), so that a failure can be seen again.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
