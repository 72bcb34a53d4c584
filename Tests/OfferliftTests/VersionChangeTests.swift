import Foundation
import Testing

/// The first run of another version says what it makes of the newest night that the one before published.
@Suite("The first run of another version")
struct VersionChangeTests {
  let binary: Binary

  init() throws {
    binary = try Binary()
    try binary.writeJob()
  }

  private func run(_ date: String, at location: SourceLocation = #_sourceLocation) throws -> String {
    let outcome = try binary.run("run", "jobs/test.yml", "--date", date)
    #expect(outcome.exit == 0, "\(outcome.errors)", sourceLocation: location)
    return outcome.errors
  }

  private func change(_ name: String, _ change: (String) -> String) throws {
    try binary.write(name, change(try binary.text(name)))
  }

  /// The night as another version would have published it: folder and database say so.
  private func publishByAnother(_ date: String, changing figures: Bool = true) throws {
    _ = try run(date)
    let version = try binary.run("--version").output.split(separator: " ")[0].trimmingCharacters(in: .newlines)
    try change("reports/test/\(date)/run.json") {
      $0.replacingOccurrences(of: "\"version\" : \"\(version)\"", with: "\"version\" : \"0.0.9\"")
    }
    if figures {
      try change("reports/test/\(date)/group_metrics.csv") {
        $0.replacingOccurrences(of: ",7,20,0.35,", with: ",7,20,0.4,")
      }
      try change("reports/test/\(date)/verdicts.csv") { $0.replacingOccurrences(of: ",end,", with: ",ship,") }
    }
    #expect(try binary.run("rebuild", "reports/test").exit == 0)
  }

  private func restated(_ date: String) throws -> [[String: String]] {
    let lines = try binary.text("reports/test/\(date)/restated.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private static func purchase(_ user: Int, _ time: String) -> String {
    #"{"userId":"u\#(user)","eventType":"purchase","occurredAt":"\#(time)","productId":"p","price":"9.99","currency":"USD","transactionId":"t\#(user)"}"#
      + "\n"
  }

  @Test("Every figure and call that moves is told by how much, in the table, on the page and on stderr; once")
  func moved() throws {
    try publishByAnother("2026-03-28")
    let said = try run("2026-03-29")
    #expect(said.contains("counts the night of 2026-03-28 otherwise than version 0.0.9 did: "))
    #expect(said.contains("the call for treatment is end, not ship"))
    #expect(said.contains("paying_conversion_7d of treatment is 0.35, not 0.4 (-0.05)"))
    let rows = try restated("2026-03-29")
    #expect(rows.map { $0["test_group_id"] } == ["control", "treatment"])
    #expect(rows.allSatisfy { $0["cause"] == "version" && $0["published_version"] == "0.0.9" })
    #expect(rows.map { $0["published_value"] } == ["0.300000", "0.400000"])
    #expect(rows.map { $0["restated_value"] } == ["0.300000", "0.350000"])
    #expect(rows[1]["published_call"] == "ship" && rows[1]["restated_call"] == "end")
    let ends = ["published_ci_low", "published_ci_high", "restated_ci_low", "restated_ci_high"]
    #expect(ends.allSatisfy { rows[0][$0] == "" })
    // The lift is of the same users: only the published value was made another, and its interval was not.
    #expect(rows[1]["published_ci_low"] == rows[1]["restated_ci_low"])
    let bounds = ends.compactMap { Double(rows[1][$0] ?? "") }
    #expect(bounds.count == 4 && bounds[2] < 0 && bounds[3] > 0.35 / 0.3 - 1)
    let verdict = try binary.text("reports/test/2026-03-29/verdict.json")
    #expect(verdict.contains(#""restated_ci_low""#) && verdict.contains(#""published_version": "0.0.9""#))
    let summary = try binary.text("reports/test/2026-03-29/summary.md")
    #expect(summary.contains("in place of 0.0.9 the night of 28 March 2026 would have shown"))
    #expect(summary.contains("It would have said end of treatment, where it said ship."))
    #expect(try binary.text("reports/test/2026-03-29/report.html").contains("in place of 0.0.9"))
    #expect(try !run("2026-03-30").contains("otherwise"))
    #expect(try restated("2026-03-30").isEmpty)
  }

  @Test("A version that counts the same says nothing")
  func quiet() throws {
    try publishByAnother("2026-03-28", changing: false)
    #expect(try !run("2026-03-29").contains("0.0.9"))
    #expect(try restated("2026-03-29").isEmpty)
  }

  @Test("The night itself, published anew by another version, says what moved")
  func again() throws {
    try publishByAnother("2026-03-28")
    #expect(try run("2026-03-28").contains("paying_conversion_7d of treatment is 0.35, not 0.4 (-0.05)"))
    #expect(try restated("2026-03-28").map { $0["previous_night"] } == ["2026-03-28", "2026-03-28"])
  }

  @Test("What a late file moves beside is told apart from what the version does")
  func lateFile() throws {
    try change("jobs/test.yml") { $0.replacingOccurrences(of: "log.jsonl", with: "log*.jsonl") }
    try publishByAnother("2026-03-28")
    try binary.write("data/log-2.jsonl", Self.purchase(1, "2026-03-03T10:00:00Z"))
    #expect(try run("2026-03-29").contains("paying_conversion_7d of treatment is 0.35, not 0.4 (-0.05)"))
    let rows = try restated("2026-03-29").filter { $0["test_group_id"] == "treatment" }
    #expect(rows.map { $0["cause"] } == ["today", "version"])
    #expect(rows.map { $0["published_value"] } == ["0.350000", "0.400000"])
    #expect(rows.map { $0["restated_value"] } == ["0.400000", "0.350000"])
    #expect(rows.map { $0["published_call"] } == ["end", "ship"])
    #expect(rows[0]["published_ci_low"] == rows[1]["restated_ci_low"])
    #expect(rows.allSatisfy { Double($0["restated_ci_low"] ?? "") != nil })
  }

  @Test("Where the job is another, too, that is said")
  func otherJob() throws {
    try publishByAnother("2026-03-28")
    try change("jobs/test.yml") { $0 + "notes: another\n" }
    #expect(try run("2026-03-29").contains("(the job or its files are others, too)"))
    #expect(try restated("2026-03-29").allSatisfy { $0["cause"] != "version" })
  }

  @Test("A night that cannot be counted again is named, and tonight is published")
  func gone() throws {
    try change("jobs/test.yml") { $0.replacingOccurrences(of: "log.jsonl", with: "log*.jsonl") }
    try binary.write("data/log-2.jsonl", Self.purchase(1, "2026-03-03T10:00:00Z"))
    try publishByAnother("2026-03-28")
    try FileManager.default.removeItem(at: binary.folder.appendingPathComponent("data/log-2.jsonl"))
    #expect(try run("2026-03-29").contains("(the job or its files are others, too)"))
  }
}
