import Foundation
import Testing

/// What a night says of why its figures are not those of the night before.
@Suite("Since the night before")
struct ChangesTests {
  let binary: Binary

  init() throws {
    binary = try Binary()
    try binary.writeJob(Self.job)
  }

  /// A job whose log lies in several files, and whose metric keeps its name whatever its window is.
  private static func job(_ text: String) -> String {
    text.replacingOccurrences(of: "log.jsonl", with: "log*.jsonl")
      .replacingOccurrences(of: "{name: paying_conversion,", with: "{id: paid, name: paying_conversion,")
  }

  private func publish(_ date: String, at location: SourceLocation = #_sourceLocation) throws {
    let outcome = try binary.run("run", "jobs/test.yml", "--date", date)
    #expect(outcome.exit == 0, "\(outcome.errors)", sourceLocation: location)
  }

  private func rows(_ date: String, _ table: String = "changes") throws -> [[String: String]] {
    let lines = try binary.text("reports/test/\(date)/\(table).csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  /// The parts that changed how many users paid: `treatment late_rows 1`.
  private func parts(_ date: String) throws -> [String] {
    try rows(date).filter { $0["numerator_change"] != "0" }
      .map { "\($0["test_group_id"] ?? "") \($0["part"] ?? "") \($0["numerator_change"] ?? "")" }
  }

  private func change(_ name: String, _ change: (String) -> String) throws {
    try binary.write(name, change(try binary.text(name)))
  }

  private static func purchase(_ user: Int, _ time: String = "2026-03-03T10:00:00Z") -> String {
    #"{"userId":"u\#(user)","eventType":"purchase","occurredAt":"\#(time)","productId":"p","price":"9.99","currency":"USD","transactionId":"t\#(user)"}"#
      + "\n"
  }

  private func loseALine() throws {
    try change("data/log.jsonl") { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return (lines[..<3] + lines[4...]).joined(separator: "\n")
    }
  }

  @Test("A first night has nothing to tell, a quiet one tells that nothing changed, and a re-run the same again")
  func quiet() throws {
    try publish("2026-03-28")
    #expect(try rows("2026-03-28").isEmpty)
    try publish("2026-03-29")
    #expect(try rows("2026-03-29").count == 2 * 8)
    #expect(try rows("2026-03-29").allSatisfy { $0["previous_night"] == "2026-03-28" })
    #expect(try parts("2026-03-29").isEmpty)
    let first = try binary.snapshot("reports/test/2026-03-29").filter { $0.key != "run.json" }
    try publish("2026-03-29")
    #expect(try binary.snapshot("reports/test/2026-03-29").filter { $0.key != "run.json" } == first)
  }

  @Test("Windows that end, and users who are new, are told as such")
  func ordinary() throws {
    try publish("2026-03-06")
    try change("data/users.csv") { $0 + "u41,test,treatment,2026-02-20T00:00:00Z\n" }
    try publish("2026-03-07")
    #expect(try parts("2026-03-07") == ["control windows_ended 6", "treatment windows_ended 7"])
    let came = try rows("2026-03-07").filter { $0["users_change"] != "0" }
    #expect(
      came.map { "\($0["test_group_id"] ?? "") \($0["part"] ?? "") \($0["users_change"] ?? "")" }
        == ["control windows_ended 20", "treatment late_rows 1", "treatment windows_ended 20"])
    #expect(came.allSatisfy { $0["previous_value"] == "" && $0["value_change"] == "" })
    #expect(try binary.text("reports/test/latest/changes.csv").contains(",0.333333\n"))
  }

  @Test("Rows that come late, in a file of their own or at the end of one that was there")
  func late() throws {
    try publish("2026-03-28")
    try binary.write("data/log-2.jsonl", Self.purchase(1))
    try publish("2026-03-29")
    #expect(try parts("2026-03-29") == ["treatment late_rows 1"])
    try change("data/log.jsonl") { $0 + Self.purchase(2) + Self.purchase(4, "2026-03-29T10:00:00Z") }
    try publish("2026-03-30")
    #expect(try parts("2026-03-30") == ["control late_rows 1"])
    let moved = try rows("2026-03-30").first { $0["value_change"] != "0.000000" }
    #expect(moved?["previous_value"] == "0.300000" && moved?["value"] == "0.350000")
    #expect(moved?["value_change"] == "0.050000")
    let warned = try rows("2026-03-30", "checks").filter { $0["check"] == "changed_past" }
    #expect(warned.map { $0["status"] } == ["warn"])
  }

  @Test("Rows of files that were written anew, or are gone under their name and content")
  func corrected() throws {
    try binary.write("data/log-2.jsonl", Self.purchase(1))
    try publish("2026-03-28")
    try loseALine()
    try publish("2026-03-29")
    #expect(try parts("2026-03-29") == ["control corrected_rows -1"])
    try change("data/log-2.jsonl") { _ in "" }
    try binary.write("data/log-3.jsonl", Self.purchase(1))
    try publish("2026-03-30")
    #expect(try parts("2026-03-30").isEmpty)
    try FileManager.default.removeItem(at: binary.folder.appendingPathComponent("data/log-3.jsonl"))
    try publish("2026-03-31")
    #expect(try parts("2026-03-31") == ["treatment corrected_rows -1"])
  }

  @Test("A changed job, beside rows that come late, and beside a file written anew")
  func job() throws {
    try publish("2026-03-28")
    try change("jobs/test.yml") { $0.replacingOccurrences(of: "window: 7d, primary", with: "window: 1d, primary") }
    try binary.write("data/log-2.jsonl", Self.purchase(1, "2026-03-01T10:00:00Z"))
    try publish("2026-03-29")
    #expect(
      try parts("2026-03-29") == ["control changed_job -6", "treatment changed_job -7", "treatment late_rows 1"])
    try change("jobs/test.yml") { $0.replacingOccurrences(of: "window: 1d, primary", with: "window: 7d, primary") }
    try loseALine()
    try publish("2026-03-30")
    #expect(try parts("2026-03-30") == ["control changed_past 5", "treatment changed_past 7"])
  }
}
