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
    let parts = [
      "Looked at every row of every input.\n", "13 of 13 purchases (100 %) are of assigned users.",
      "test: 40 users. control: 20 users, treatment: 20 users; the others are compared with control.",
      "Times of the assignments: from 2026-03-01T00:00:00Z to 2026-03-01T00:00:00Z.",
      "Times of the purchases: from 2026-03-02T10:00:00Z to 2026-03-02T10:00:00Z.", "type --date 2026-03-02.",
    ]
    for part in parts { #expect(outcome.output.contains(part), "\(part) in \(outcome.output)") }
    #expect(outcome.output.contains("\nTo know:\n  unknown_product: no table tells the kind of 1 product (\"p\");"))
    #expect(outcome.output.hasSuffix("\nThis job will run.\n"))
    #expect(try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") } == before)
  }

  @Test("Signatures of any app are taken only where that is known", arguments: ["", ", bundle_id: com.example.app"])
  func anyApp(asked: String) throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "format: events}", with: "format: app-store-notifications, verify: true\(asked)}")
    }
    try binary.write("data/log.jsonl", "")
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    let note =
      "jobs/test.yml, line 3: verify: true without bundle_id: takes what Apple signed for any app; add bundle_id: with yours."
    #expect(outcome.output.contains(note) == asked.isEmpty, "\(outcome.output)")
  }

  @Test("What only Spark can read is told as not looked at, and the rest is checked")
  func elsewhere() throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "../data/log.jsonl", with: "s3a://bucket/log-*.gz") + "engine: spark\n"
    }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    let parts = [
      "Looked at every row of every input that lies on this machine.\n",
      "assignments: ../data/users.csv: of 40 rows, none would be rejected.",
      "purchases: s3a://bucket/log-*.gz: Apache Spark reads it; it was not looked at here.",
    ]
    for part in parts { #expect(outcome.output.contains(part), "\(part) in \(outcome.output)") }
    #expect(
      outcome.output.hasSuffix(
        "\nNothing stands in this job's way here; 1 input that Apache Spark reads will show on the cluster.\n"))
    let native = try binary.run("run", "jobs/test.yml", "--date", "2026-03-10", "--engine", "native")
    #expect(native.exit == 66 && native.errors.contains("only Apache Spark can read it"), "\(native.errors)")
  }

  @Test("An address of this machine's own disk is a path")
  func ownAddress() throws {
    let log = binary.folder.appendingPathComponent("data/log.jsonl").path
    try binary.writeJob { $0.replacingOccurrences(of: "../data/log.jsonl", with: "file://\(log)") }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 0 && outcome.output.contains("log.jsonl: of 13 rows"), "\(outcome.errors)")
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
    #expect(outcome.errors.hasPrefix("offerlift: jobs/test.yml will not run yet. 5 things to mend:\n1. "))
    #expect(outcome.errors.contains("\n5. "))
    #expect(!outcome.output.contains("This job will run"))
  }

  @Test(
    "The exit code is that of the problem",
    arguments: [(78, "jobb: x"), (66, "products: none.csv")] as [(Int32, String)])
  func exits(exit: Int32, line: String) throws {
    try binary.writeJob { $0 + line + "\n" }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == exit)
    #expect(outcome.errors.hasPrefix("offerlift: jobs/test.yml will not run yet. One thing to mend:\n1. "))
    #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
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
      #"{"user":"u\#(number * 3 + 3)","offering":"test","group":"control","assigned_at":"2026-03-01"\#(country)}"#
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

  /// Purchases of the forty users in another currency, from 2026-03-02 on, a day each.
  private func purchases(in currency: String) throws {
    let rows = (0..<13).map { number in
      #"{"userId":"u\#(number * 3 + 3)","eventType":"purchase","occurredAt":"2026-03-\#(number + 10)T10:00:00Z","productId":"p","price":"9","currency":"\#(currency)","transactionId":"\#(number)"}"#
    }
    try binary.write("data/log.jsonl", rows.joined(separator: "\n") + "\n")
  }

  @Test("A currency without rates is told with its days, and what to add")
  func rates() throws {
    try binary.writeJob { $0 + "exchange_rates: ../data/rates.csv\n" }
    try binary.write("data/rates.csv", "date,currency,rate\n2026-03-10,EUR,1.1\n")
    try purchases(in: "EUR")
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 65)
    let parts = [
      "1. test.yml, line 7: 5 of 13 charges in EUR have no rate, from 2026-03-18 to 2026-03-22.",
      "2026-03-18,EUR,RATE", "2. ",
    ]
    for part in parts { #expect(outcome.errors.contains(part), "\(part) in \(outcome.errors)") }
    try binary.write("data/rates.csv", "date,currency,rate\n2026-03-10,EUR,1.1\n2026-03-17,EUR,1.1\n")
    #expect(try binary.run("check", "jobs/test.yml").exit == 0)
  }

  @Test("Of purchases that mostly nobody assigned, both sides' ids are shown")
  func unassigned() throws {
    try binary.writeJob()
    let log = try binary.text("data/log.jsonl")
    let others = (1...17).map { number in
      #"{"userId":"old-\#(number)","eventType":"purchase","occurredAt":"2026-03-02","productId":"p","price":"9","currency":"USD"}"#
    }
    try binary.write("data/log.jsonl", log + others.joined(separator: "\n"))
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 0)
    #expect(
      outcome.output.contains(
        "13 of 30 purchases (43.3 %) are of assigned users. Ids of the assignments, digits shown as 9 and letters as x: \"x9"
      ))
    #expect(outcome.output.contains("of the other purchases: \"xxx-9"))
  }

  @Test("Segments that no assignments tell are to be mended, each by its line")
  func segments() throws {
    try binary.writeJob { $0 + "segments: [ofering, country]\n" }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 78)
    for (number, name) in ["ofering", "country"].enumerated() {
      let line = "\(number + 1). jobs/test.yml, line 7: segments: no assignments name the attribute \"\(name)\""
      #expect(outcome.errors.contains(line), "\(outcome.errors)")
    }
  }

  @Test("An enrolment that leaves nobody is warned of, with the times there are")
  func enrolment() throws {
    try binary.writeJob { $0 + "enrolment: {from: 2026-03-02, to: 2026-03-09}\n" }
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(
      outcome.errors.contains("enrolment: leaves nobody of test: all 40 users were first assigned outside of it."))
    #expect(
      outcome.output.contains(
        "takes users first assigned from 2026-03-02T00:00:00Z and before 2026-03-09T00:00:00Z."))
    #expect(outcome.output.contains("will say not to trust the figures: see the warning."))
  }

  @Test("An empty file is named")
  func empty() throws {
    try binary.writeJob { $0.replacingOccurrences(of: "log.jsonl", with: "*.jsonl") }
    try binary.write("data/later.jsonl", "")
    let outcome = try binary.run("check", "jobs/test.yml")
    #expect(outcome.exit == 0)
    #expect(outcome.output.contains("purchases: ../data/later.jsonl: it has no rows."))
  }

  @Test("Of a long log the first rows are looked at, and --rows says how many")
  func rows() throws {
    try binary.writeJob()
    let view = #"{"userId":"u1","eventType":"paywall_view","occurredAt":"2026-03-02T10:00:00Z"}"# + "\n"
    let bad = String(repeating: #"{"userId":"u1"}"# + "\n", count: 200)
    let log = try binary.text("data/log.jsonl")
    try binary.write("data/log.jsonl", log + String(repeating: view, count: 6000) + bad)
    let first = try binary.run("check", "jobs/test.yml", "--rows", "100")
    #expect(first.exit == 0, "\(first.errors)")
    #expect(
      first.output.hasPrefix("Looked at the first 100 rows of each purchase log (1 file may have more; --rows all"))
    for arguments in [["--rows", "all"], []] {
      #expect(try binary.run(["check", "jobs/test.yml"] + arguments).exit == 65)
    }
    #expect(try binary.run("check", "jobs/test.yml", "--rows", "few").exit == 64)
  }
}
