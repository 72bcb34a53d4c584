import Foundation
import Testing

/// What to compare with is never guessed.
@Suite("The baseline of a job")
struct BaselineTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  /// Writes the usual job with groups of other names, and more lines in its file.
  private func write(_ control: String, _ treatment: String, job: String = "", offering: String = "test") throws {
    try binary.writeJob { $0 + job }
    let users = try binary.text("data/users.csv")
      .replacingOccurrences(of: ",test,control,", with: ",\(offering),\(control),")
      .replacingOccurrences(of: ",test,treatment,", with: ",\(offering),\(treatment),")
    try binary.write("data/users.csv", users)
  }

  private func outcomes() throws -> [Binary.Outcome] {
    [
      try binary.run("check", "jobs/test.yml"),
      try binary.run("run", "jobs/test.yml", "--date", "2026-03-31"),
      try binary.run("run", "jobs/test.yml", "--date", "2020-01-01"),
      try binary.run("power", "jobs/test.yml", "--date", "2026-03-31"),
    ]
  }

  @Test("Several groups without control and without baseline: are refused by every command, and listed")
  func unnamed() throws {
    try write("E-Mail", "No E-Mail")
    for outcome in try outcomes() {
      #expect(outcome.exit == 78, "\(outcome.errors)")
      for part in ["\"E-Mail\" and \"No E-Mail\"", "baseline: \"E-Mail\"", "\"test\""] {
        #expect(outcome.errors.contains(part), "\(part) in \(outcome.errors)")
      }
    }
    #expect(try binary.snapshot(".").keys.filter { $0.hasSuffix("results.sqlite") }.isEmpty)
    try write("E-Mail", "No E-Mail", job: "baseline: No E-Mail\n")
    #expect(try binary.run("run", "jobs/test.yml", "--date", "2026-03-31").exit == 0)
    #expect(try binary.text("reports/test/latest/comparisons.csv").contains(",test,No E-Mail,E-Mail,all,"))
  }

  @Test("A baseline that is no group is refused with its line", arguments: ["contrl", "{test: contrl}"])
  func missing(baseline: String) throws {
    try write("control", "treatment", job: "baseline: \(baseline)\n")
    for outcome in try outcomes() {
      #expect(outcome.exit == 78, "\(outcome.errors)")
      #expect(outcome.errors.contains("test.yml, line 7: baseline: "), "\(outcome.errors)")
      #expect(outcome.errors.contains("Did you mean \"control\"?"), "\(outcome.errors)")
    }
  }

  @Test("A group that only the catalog or the weights name is a group, and one group alone needs no baseline")
  func known() throws {
    try write("a", "a")
    #expect(try outcomes().prefix(3).map(\.exit) == [0, 0, 0])
    try write("a", "a", job: "weights: {test: {a: 1, b: 1}}\n")
    #expect(try outcomes().map(\.exit) == [78, 78, 78, 78])
    try write("a", "b", job: "weights: {test: {a: 1, b: 1, control: 1}}\n")
    #expect(try outcomes().prefix(3).map(\.exit) == [0, 0, 0])
    #expect(try binary.text("reports/test/2026-03-31/comparisons.csv").split(separator: "\n").count == 1)
  }

  @Test("An offering that is not measured needs none")
  func otherOffering() throws {
    try write("a", "b")
    let users = try binary.text("data/users.csv")
    try binary.write("data/users.csv", users + "v1,main,control,2026-03-01T00:00:00Z\nv2,main,b,2026-03-01T00:00:00Z\n")
    #expect(try binary.run("check", "jobs/test.yml").exit == 78)
    try binary.write("jobs/test.yml", Binary.job + "offerings: [main]\n")
    // A run in which nobody of the test bought anything would not be believed.
    let log = try binary.text("data/log.jsonl")
    let user = #/"userId":"[^"]*"/#
    try binary.write("data/log.jsonl", log + log.replacing(user, with: #""userId":"v1""#))
    #expect(try outcomes().prefix(3).map(\.exit) == [0, 0, 0])
  }
}
