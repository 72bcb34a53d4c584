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

  @Test(
    "What fails a run fails the check, however far down it stands",
    arguments: [
      ("", #"{"userId":"u1"}"#, 65), ("max_reject_ratio: 0\n", #"{"userId":"u1"}"#, 65),
      ("max_reject_ratio: 0.02\n", #"{"userId":"u1"}"#, 0),
      (
        "",
        #"{"userId":"u3","eventType":"purchase","occurredAt":"2026-03-02T10:00:00Z","productId":"p","price":"9","currency":"JPY","transactionId":"j\#t"}"#,
        65
      ),
    ])
  func deepDown(job: String, line: String, exit: Int32) throws {
    try binary.writeJob { $0 + job }
    let view = #"{"userId":"u1","eventType":"paywall_view","occurredAt":"2026-03-02T10:00:00Z"}"# + "\n"
    let bad = (0..<60).map { line.replacingOccurrences(of: "#t", with: "\($0)") + "\n" }.joined()
    let log = try binary.text("data/log.jsonl")
    try binary.write("data/log.jsonl", log + String(repeating: view, count: 4000) + bad)
    let run = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31")
    let check = try binary.run("check", "jobs/test.yml")
    #expect(run.exit == exit, "\(run.errors)")
    #expect(check.exit == exit, "\(check.errors)")
    if exit != 0 { #expect(check.errors.contains("../data/log.jsonl, line 4014: "), "\(check.errors)") }
    #expect(check.output.contains("line 4014") == (exit == 0))
  }

  @Test("A log that is cut off at its very end is found")
  func cutOff() throws {
    try binary.writeJob()
    let log = try binary.text("data/log.jsonl")
    try binary.write("data/plain.txt", String(repeating: log, count: 400))
    let gzip = Process()
    gzip.executableURL = URL(fileURLWithPath: "/bin/sh")
    gzip.arguments = ["-c", "gzip -c plain.txt | head -c -3 > log.jsonl"]
    gzip.currentDirectoryURL = binary.folder.appendingPathComponent("data")
    try gzip.run()
    gzip.waitUntilExit()
    #expect(try binary.run("check", "jobs/test.yml").exit == 65)
  }

  @Test("Attributes that no assignments have are refused", arguments: ["csv", "jsonl"])
  func attributes(format: String) throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "users.csv, format: csv", with: "users.csv, format: \(format), attributes: [contry]")
    }
    if format == "jsonl" {
      let row = #"{"user":"u1","offering":"test","group":"control","assigned_at":"2026-03-01","country":"US"}"#
      try binary.write("data/users.csv", row + "\n")
    }
    for outcome in [try binary.run("check", "jobs/test.yml"), try binary.run("run", "jobs/test.yml")] {
      #expect(outcome.exit == 78, "\(outcome.errors)")
      #expect(outcome.errors.contains("\"contry\""), "\(outcome.errors)")
      #expect(outcome.errors.contains("test.yml, line 2"), "\(outcome.errors)")
    }
  }

  @Test("An attribute that some row tells is there, whether a metric is split by it or not")
  func sparseAttributes() throws {
    try binary.writeJob {
      $0.replacingOccurrences(
        of: "users.csv, format: csv", with: "users.csv, format: jsonl, attributes: [country, group]")
    }
    let rows = ["", #","country":"US""#].enumerated().map { number, country in
      #"{"user":"u\#(number)","offering":"test","group":"control","assigned_at":"2026-03-01"\#(country)}"#
    }
    try binary.write("data/users.csv", rows.joined(separator: "\n"))
    #expect(try binary.run("check", "jobs/test.yml").exit == 0)
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
