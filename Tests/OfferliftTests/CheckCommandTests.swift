import Foundation
import Testing

@Suite("offerlift check")
struct CheckCommandTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  @Test("A sound job is said to be so, input by input, and nothing is written")
  func sound() throws {
    try binary.writeJob()
    let before = try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("assignments: ../data/users.csv: of 40 rows, none would be rejected."))
    #expect(outcome.output.contains("purchases: ../data/log.jsonl: of 13 rows, none would be rejected."))
    #expect(try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") } == before)
  }

  @Test("Every problem is told at once: of the job, of missing inputs, of columns, of rows")
  func everything() throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "job: test", with: "job: test\nsegmnts: [x]")
        .replacingOccurrences(of: "format: csv}", with: "format: csv, columns: {user: usr}}") + """
          products: nowhere.csv

          """
    }
    let log = try binary.text("data/log.jsonl")
    try binary.write("data/log.jsonl", log + "{}\n[1]\n")
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 78, "\(outcome.errors)")
    let parts = [
      "jobs/test.yml, line 2: the job has no key \"segmnts\"; did you mean \"segments\"?", "nowhere.csv",
      "no column \"usr\"",
      "../data/log.jsonl, line 14: ", "../data/log.jsonl, line 15: ",
    ]
    for part in parts { #expect(outcome.errors.contains(part), "\(part) in \(outcome.errors)") }
  }

  @Test(
    "The exit code is that of the problem",
    arguments: [(78, "jobb: x"), (66, "products: none.csv")] as [(Int32, String)])
  func exits(exit: Int32, line: String) throws {
    try binary.writeJob { $0 + line + "\n" }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == exit)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test("Damaged data ends with 65")
  func damaged() throws {
    try binary.writeJob()
    try binary.write("data/log.jsonl", bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b])
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 65)
    #expect(outcome.errors.contains("../data/log.jsonl, byte 11"))
  }

  @Test("A job file that is not there ends with 66, one that is not YAML with 78")
  func noJob() throws {
    #expect(try binary.run("check", "none.yml").exit == 66)
    try binary.write("bad.yml", "job: [\n")
    let outcome = try binary.run("check", "bad.yml")
    #expect(outcome.exit == 78)
    #expect(outcome.errors.contains("bad.yml, line "))
  }
}
