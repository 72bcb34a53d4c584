import Foundation
import Testing

/// Inputs that can be read, add up, and cannot be true.
@Suite("Inputs that cannot be")
struct PlausibilityTests {
  let binary: Binary

  init() throws {
    binary = try Binary()
    try binary.writeJob()
  }

  private func rewrite(_ name: String, _ change: (String) -> String) throws {
    try binary.write(name, change(try binary.text(name)))
  }

  /// Expects that a run publishes, trusts nothing and that its checks hold a failed one with all of `words`, and that
  /// the check command warns of it.
  @discardableResult
  private func expectFailed(
    _ name: String, _ words: String..., offering: String = "", at location: SourceLocation = #_sourceLocation
  ) throws -> Binary.Outcome {
    let run = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31")
    #expect(run.exit == 0, "\(run.errors)", sourceLocation: location)
    #expect(run.output.contains("Do not act on this: "), "\(run.output)", sourceLocation: location)
    let checks = try binary.text("reports/test/latest/checks.csv").split(separator: "\n")
    let row = checks.first { $0.hasPrefix("\(offering),\(name),fail,") } ?? ""
    #expect(!row.isEmpty, "\(checks)", sourceLocation: location)
    for word in words { #expect(row.contains(word), "\(row)", sourceLocation: location) }
    let decisions = try binary.text("reports/test/latest/comparisons.csv").split(separator: "\n").dropFirst()
    #expect(decisions.allSatisfy { $0.contains("do_not_trust") }, sourceLocation: location)
    return run
  }

  private func expectWarnedOf(_ words: String..., at location: SourceLocation = #_sourceLocation) throws {
    let check = try binary.run("check", "jobs/test.yml")
    #expect(check.exit == 0, "\(check.errors)", sourceLocation: location)
    for word in words { #expect(check.errors.contains(word), "\(check.errors)", sourceLocation: location) }
    #expect(try binary.run("check", "jobs/test.yml", "--strict").exit == 3, sourceLocation: location)
  }

  private func expectTrusted(at location: SourceLocation = #_sourceLocation) throws {
    let run = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", "--strict")
    #expect(run.exit == 0, "\(run.output)", sourceLocation: location)
  }

  @Test("Purchases of users that nobody assigned: both sides' ids are shown, and what to do")
  func unassigned() throws {
    try expectTrusted()
    try rewrite("data/log.jsonl") { $0.replacingOccurrences(of: "\"userId\":\"u", with: "\"userId\":\"CUST-77") }
    let run = try expectFailed(
      "user_ids", "13 of 13 purchases (100 %)", "Ids of the assignments, digits shown as 9 and letters as x: \"\"x9",
      "of those purchases: \"\"XXXX-99",
      "identities:",
      "columns:", "warn_levels: {user_ids: 1}")
    #expect(run.errors.contains("\"XXXX-999") && !run.errors.contains("CUST"), "\(run.errors)")
    #expect(try !binary.text("reports/test/latest/checks.csv").contains("CUST"))
    #expect(try !binary.text("reports/test/latest/report.html").contains("CUST"))
    let check = try binary.run("check", "jobs/test.yml")
    #expect(check.exit == 65, "\(check.output)")
    #expect(check.errors.contains("would run, and measure nothing. One thing to mend:\n1. None of 13 purchases is of"))
    #expect(check.errors.contains("\"XXXX-999") && check.errors.contains("identities:"), "\(check.errors)")
    #expect(!(check.errors + check.output).contains("CUST"))
    #expect(!check.output.contains("This job will run"))
  }

  @Test("Below nineteen of twenty purchases of strangers the figures stand; a job may say another share")
  func someUnassigned() throws {
    let log = try binary.text("data/log.jsonl")
    let unassigned = log.replacingOccurrences(of: "\"userId\":\"u", with: "\"userId\":\"old-")
      .replacingOccurrences(of: "\"transactionId\":\"", with: "\"transactionId\":\"old-")
    try binary.write("data/log.jsonl", String(repeating: unassigned, count: 18) + log)
    try expectTrusted()
    try binary.writeJob { $0 + "warn_levels: {user_ids: 0.9}\n" }
    try binary.write("data/log.jsonl", String(repeating: unassigned, count: 18) + log)
    try expectFailed("user_ids", "234 of 247 purchases (94.7 %)")
    try binary.write("jobs/test.yml", Binary.job + "warn_levels: {user_ids: 1}\n")
    try binary.write("data/log.jsonl", String(repeating: unassigned, count: 60) + log)
    try expectTrusted()
  }

  @Test(
    "Ids written otherwise in one input are found though most purchases have users",
    arguments: [
      ("u3\"", "U3\"", "letter case", "\"\"X9\"\" in the purchases, \"\"x9\"\" in the assignments"),
      ("u3\"", "u3 \"", "blanks", "\"\"x9 \"\" in the purchases"),
      ("u3\"", "u003\"", "zeros", "\"\"x009\"\" in the purchases"),
    ])
  func writtenOtherwise(old: String, new: String, difference: String, shown: String) throws {
    try rewrite("data/log.jsonl") { $0.replacingOccurrences(of: old, with: new) }
    let run = try expectFailed("user_ids", "written otherwise (\(difference))", shown, "Write both alike")
    #expect(run.errors.contains(shown.replacingOccurrences(of: "\"\"", with: "\"")), "\(run.errors)")
    try expectWarnedOf(shown.replacingOccurrences(of: "\"\"", with: "\""))
  }

  @Test("Pairs of ids that look alike by their shape are shown once")
  func pairsOfOneShape() throws {
    try rewrite("data/log.jsonl") { $0.replacingOccurrences(of: "\"userId\":\"u", with: "\"userId\":\"U") }
    let run = try expectFailed("user_ids")
    #expect(run.errors.components(separatedBy: " in the purchases, ").count == 3, "\(run.errors)")
    let checks = try binary.text("reports/test/latest/checks.csv")
    #expect(checks.components(separatedBy: "\"\"X9\"\" in the purchases").count == 2, "\(checks)")
  }

  /// Expects that a run and the check command refuse the inputs and say all of `words`.
  private func expectRefused(_ words: String..., at location: SourceLocation = #_sourceLocation) throws {
    for command in [["run", "jobs/test.yml", "--date", "2026-03-31"], ["check", "jobs/test.yml"]] {
      let outcome = try binary.run(command)
      #expect(outcome.exit == 65, "\(outcome.errors)", sourceLocation: location)
      for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: location) }
    }
    #expect(try binary.snapshot(".").keys.allSatisfy { !$0.hasSuffix("checks.csv") }, sourceLocation: location)
  }

  @Test("Ids that a spreadsheet has spoilt are refused, of users and of transactions")
  func spoilt() throws {
    func spoil(_ text: String) -> String {
      (1...40).reversed().reduce(text) { $0.replacingOccurrences(of: "u\($1)", with: "4.\($1 % 3)7E+09") }
    }
    try rewrite("data/users.csv", spoil)
    try expectRefused("../data/users.csv, line 2: ", "user \"4.17E+09\" is a number as a spreadsheet shows", "as text")
    try binary.writeJob()
    try rewrite("data/log.jsonl", spoil)
    try expectRefused("../data/log.jsonl, line 1: ", "userId \"4.07E+09\"")
    try binary.writeJob()
    try rewrite("data/log.jsonl") {
      $0.replacingOccurrences(of: #""transactionId":"3""#, with: #""transactionId":"3E+15""#)
    }
    try expectRefused("../data/log.jsonl, line 1: ", "transactionId \"3E+15\"")
  }

  @Test("One spoilt id among many is set aside by name")
  func oneSpoilt() throws {
    let more = (100..<300).map { "u\($0),test,\($0 % 2 == 0 ? "control" : "treatment"),2026-03-01T00:00:00Z\n" }
    try rewrite("data/users.csv") { $0 + more.joined() + "4.07E+09,test,control,2026-03-01T00:00:00Z\n" }
    try expectTrusted()
    #expect(try binary.text("reports/test/latest/inputs.csv").contains(",spoilt_id,1\n"))
  }

  @Test(
    "Days as a spreadsheet counts them are refused, and read where the job says so",
    arguments: ["46083", "46083.42", "46083,42"])
  func serialDates(date: String) throws {
    try rewrite("data/users.csv") { $0.replacingOccurrences(of: "2026-03-01T00:00:00Z", with: "\"\(date)\"") }
    try expectRefused(
      "assigned_at \"\(date)\" looks like a spreadsheet's count of days (2026-03-02T", "time_format: excel")
    try binary.writeJob { $0.replacingOccurrences(of: "format: csv}", with: "format: csv, time_format: excel}") }
    try rewrite("data/users.csv") { $0.replacingOccurrences(of: "2026-03-01T00:00:00Z", with: "\"\(date)\"") }
    try rewrite("data/log.jsonl") { $0.replacingOccurrences(of: "2026-03-02T10:00", with: "2026-03-02T11:00") }
    try expectTrusted()
    let purchases = try binary.text("reports/test/latest/group_metrics.csv").split(separator: "\n")
    #expect(purchases.contains { $0.contains(",paying_conversion_7d,") && $0.contains(",20,0,") })
  }

  @Test("A table without an offering says in the job of which test it is")
  func constantOffering() throws {
    try rewrite("data/users.csv") {
      $0.replacingOccurrences(of: ",offering", with: "").replacingOccurrences(of: ",test,", with: ",")
    }
    let refused = try binary.run("check", "jobs/test.yml")
    #expect(refused.exit == 78)
    #expect(refused.errors.contains("defaults: {offering: my_test}"), "\(refused.errors)")
    let log = try binary.text("data/log.jsonl")
    let users = try binary.text("data/users.csv")
    try binary.writeJob {
      $0.replacingOccurrences(of: "format: csv}", with: "format: csv, defaults: {offering: \"new prices\"}}")
    }
    try binary.write("data/users.csv", users)
    try binary.write("data/log.jsonl", log)
    try expectTrusted()
    #expect(try binary.text("reports/test/latest/group_metrics.csv").contains(",new prices,control,"))
  }

  @Test("Seconds read as milliseconds are before 2000, and say so")
  func milliseconds() throws {
    try binary.writeJob { $0.replacingOccurrences(of: "format: csv}", with: "format: csv, time_unit: milliseconds}") }
    try rewrite("data/users.csv") { $0.replacingOccurrences(of: "2026-03-01T00:00:00Z", with: "1772323200") }
    try expectFailed("time_range", "time_unit: seconds", "1970-01-21")
  }

  @Test("One row of long ago warns, whatever else is right")
  func oneEarlyRow() throws {
    let more = (100..<300).map { "u\($0),test,\($0 % 2 == 0 ? "control" : "treatment"),2026-03-01T00:00:00Z\n" }
    try rewrite("data/users.csv") { $0 + more.joined() + "u41,test,control,1999-12-31T23:59:59Z\n" }
    try expectTrusted()
    let checks = try binary.text("reports/test/latest/checks.csv")
    #expect(checks.contains(",time_range,warn,"))
    #expect(checks.contains("The first assignment is of 1999-12-31T23:59:59Z, 9,558 days before the last event"))
    let check = try binary.run("check", "jobs/test.yml")
    #expect(check.exit == 0 && check.output.contains("time_range: "), "\(check.output)")
  }

  @Test("Purchases that all came before the assignments")
  func before() throws {
    try rewrite("data/log.jsonl") { $0.replacingOccurrences(of: "2026-03-02T", with: "2026-02-02T") }
    try expectFailed(
      "before_assignment", "All 13 purchases", "2026-02-02T10:00:00Z", "2026-03-01T00:00:00Z", "time_unit:",
      offering: "test")
  }

  @Test(
    "A log without an event that counts",
    arguments: ["", #"{"userId":"u3","eventType":"paywall_view","occurredAt":"2026-03-02","environment":"Sandbox"}"#])
  func emptyLog(text: String) throws {
    try binary.write("data/log.jsonl", text)
    try expectFailed("empty_input", "Are all files there")
    // Where rows are and none of them counts, check ends with what is wrong.
    if text.isEmpty { try expectWarnedOf("empty_input: ") }
    try binary.writeJob()
    try binary.write("data/users.csv", "user,offering,group,assigned_at\n")
    let run = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31")
    #expect(run.exit == 65)
    #expect(run.errors.contains("nobody is in any group, so there is nothing to compare"), "\(run.errors)")
  }

  @Test("A check of inputs that would measure nothing ends with what is wrong, and never says that the job will run")
  func nothingToMeasure() throws {
    try rewrite("data/log.jsonl") {
      $0.replacingOccurrences(of: "\"userId\"", with: "\"environment\":\"Sandbox\",\"userId\"")
    }
    let sandbox = try binary.run("check", "jobs/test.yml")
    #expect(sandbox.exit == 65, "\(sandbox.output)")
    #expect(sandbox.errors.contains("None of 13 rows of the purchases counts: sandbox 13."), "\(sandbox.errors)")
    try binary.writeJob()
    try binary.write("data/users.csv", "user,offering,group,assigned_at\n")
    let empty = try binary.run("check", "jobs/test.yml")
    #expect(empty.exit == 65, "\(empty.output)")
    #expect(empty.errors.contains("nobody is in any group, so there is nothing to compare"), "\(empty.errors)")
    for outcome in [sandbox, empty] { #expect(!outcome.output.contains("This job will run"), "\(outcome.output)") }
  }

  @Test("Old logs without --date are told how to be run")
  func withoutDate() throws {
    #expect(try binary.run("run", "jobs/test.yml").exit == 0)
    #expect(try binary.text("reports/test/latest/checks.csv").contains("A night of then is run with --date."))
  }
}
