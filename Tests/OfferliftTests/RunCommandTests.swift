import Foundation
import Testing

@Suite("offerlift run")
struct RunCommandTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  private func run(_ options: String...) throws -> Binary.Outcome {
    switch options.count {
    case 0: try binary.run("run", "jobs/test.yml", "--date", "2026-03-31")
    case 1: try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", options[0])
    default: try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", options[0], options[1])
    }
  }

  /// Expects a failure with one message on stderr that holds every one of `words`, and nothing on stdout.
  private func expect(
    _ outcome: Binary.Outcome, exit: Int32, saying words: String..., at location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.exit == exit, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
    #expect(outcome.errors.hasPrefix("offerlift: "), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: location)
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: location) }
  }

  @Test("A sound job ends with 0, one line on stdout and a night of results")
  func published() throws {
    try binary.writeJob()
    let outcome = try run()
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.output.contains("test 2026-03-31: "))
    let night = try binary.snapshot("reports/test/2026-03-31")
    for name in ["group_metrics", "comparisons", "sufficient_statistics", "checks", "inputs"] {
      #expect(night["\(name).csv"]?.isEmpty == false, "\(name)")
    }
    let statistics = try binary.text("reports/test/latest/sufficient_statistics.csv")
    #expect(statistics.contains("test,control,all,paying_conversion_7d,proportion,1,20,6,6,"))
    #expect(statistics.contains("test,treatment,all,revenue_net_7d,mean,1000000,20,69930000,698600700000000,"))
    #expect(try binary.text("reports/test/latest/inputs.csv").contains("purchases,../data/log.jsonl,"))
  }

  @Test("The same inputs and cut-off write the same bytes, whatever the threads")
  func sameBytes() throws {
    try binary.writeJob()
    #expect(try run("--threads", "1").exit == 0)
    let first = try binary.snapshot("reports/test/2026-03-31").filter { $0.key != "run.json" }
    #expect(try run("--threads", "2").exit == 0)
    #expect(try binary.snapshot("reports/test/2026-03-31").filter { $0.key != "run.json" } == first)
  }

  @Test("--from and --to publish every night, and --output says where")
  func backfill() throws {
    try binary.writeJob()
    let outcome = try binary.run(
      "run", "jobs/test.yml", "--from", "2026-03-10", "--to", "2026-03-12", "--output", "out")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 3)
    for day in 10...12 { #expect(try !binary.snapshot("out/test/2026-03-\(day)").isEmpty) }
  }

  @Test("--strict ends with 3 where a check failed, and the results are there")
  func strict() throws {
    try binary.writeJob { $0 + "weights: {test: {control: 1000, treatment: 1}}\n" }
    #expect(try run().exit == 0)
    #expect(try run("--strict").exit == 3)
    #expect(try binary.text("reports/test/latest/checks.csv").contains(",fail,"))
    try binary.writeJob()
    #expect(try run("--strict").exit == 0)
  }

  @Test("Wrong usage ends with 64 and says what to type")
  func usage() throws {
    try binary.writeJob()
    let wrong = [
      ["run"], ["run", "jobs/test.yml", "--threads", "0"], ["run", "jobs/test.yml", "--from", "2026-03-01"],
      ["run", "jobs/test.yml", "--date", "2026-03-01", "--as-of", "2026-03-01"],
      ["run", "jobs/test.yml", "--dates", "x"],
      ["nonsense"], ["check"], ["run", "jobs/test.yml", "--threads", "many"],
    ]
    for arguments in wrong {
      let outcome = try launch(arguments)
      #expect(outcome.exit == 64, "\(arguments): \(outcome.errors)")
      #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
    }
    expect(
      try binary.run("run", "jobs/test.yml", "--date", "31.3.2026"), exit: 64, saying: "--date", "write 2026-03-31")
    expect(
      try binary.run("run", "jobs/test.yml", "--as-of", "noon"), exit: 64, saying: "--as-of",
      "write 2026-04-01T00:00:00Z")
    expect(
      try binary.run("run", "jobs/test.yml", "--from", "2026-03-02", "--to", "2026-03-01"), exit: 64,
      saying: "swap them")
    #expect(!FileManager.default.fileExists(atPath: binary.folder.appendingPathComponent("reports").path))
  }

  private func launch(_ arguments: [String]) throws -> Binary.Outcome {
    switch arguments.count {
    case 1: try binary.run(arguments[0])
    case 4: try binary.run(arguments[0], arguments[1], arguments[2], arguments[3])
    default: try binary.run(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5])
    }
  }

  @Test("Bad data ends with 65 and names file and line; old results stand")
  func badData() throws {
    try binary.writeJob()
    #expect(try run().exit == 0)
    let before = try binary.snapshot("reports")
    let log = try binary.text("data/log.jsonl")

    try binary.write("data/log.jsonl", log + "{\"userId\":\n")
    expect(try run(), exit: 65, saying: "../data/log.jsonl, line 14: ", "max_reject_ratio")
    try binary.write("data/log.jsonl", log.replacingOccurrences(of: "\"9.99\"", with: "\"9,99\""))
    expect(try run(), exit: 65, saying: "line 1: price \"9,99\" is not a plain decimal number", "max_reject_ratio")
    try binary.write("data/log.jsonl", log.replacingOccurrences(of: "USD", with: "dollars"))
    expect(try run(), exit: 65, saying: "line 1: currency \"dollars\"")
    try binary.write("data/log.jsonl", log.replacingOccurrences(of: "USD", with: "JPY"))
    expect(try run(), exit: 65, saying: "line 1: ", "JPY", "2026-03-02")
    try binary.write("data/log.jsonl", bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b])
    expect(try run(), exit: 65, saying: "../data/log.jsonl, byte 11: ", "on_corrupt: skip")
    try binary.write("data/log.jsonl", log)
    let users = try binary.text("data/users.csv")
    try binary.write("data/users.csv", users.replacingOccurrences(of: "2026-03-01T", with: "2026-03-32T"))
    expect(try run(), exit: 65, saying: "../data/users.csv, line 2: ")
    try binary.write("data/users.csv", users)

    #expect(try binary.snapshot("reports") == before)
    #expect(try run().exit == 0)
  }

  @Test("A damaged file under on_corrupt: skip is left out, and said aloud")
  func skipped() throws {
    try binary.writeJob { $0 + "on_corrupt: skip\n" }
    try binary.write("data/log.jsonl", bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b])
    let outcome = try run()
    #expect(outcome.exit == 0)
    #expect(outcome.errors.contains("../data/log.jsonl, byte 11: "))
    #expect(try binary.text("reports/test/latest/inputs.csv").contains("corrupt_file,1"))
  }

  @Test("What a glob matches and is no file ends with 66, and a folder is passed over")
  func brokenMatches() throws {
    try binary.writeJob { $0.replacingOccurrences(of: "log.jsonl,", with: "log*,") }
    let other = binary.folder.appendingPathComponent("data/log-2.jsonl").path
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "gone")
    expect(try run(), exit: 66, saying: "../data/log-2.jsonl is a link to nothing")
    try FileManager.default.removeItem(atPath: other)
    #expect(mkfifo(other, 0o600) == 0)
    expect(try run(), exit: 66, saying: "../data/log-2.jsonl is no file but a pipe")
    try FileManager.default.removeItem(atPath: other)
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    #expect(try run().exit == 0)
  }

  @Test("Two jobs whose event types are one text when put together share nothing in the event store")
  func typesOfTwoJobs() throws {
    for (job, types, isUnknown) in [("one", "[a, b]", true), ("two", "[\"a, b\"]", false)] {
      let keys = "job: \(job)\nstate: {path: ../state}\nmax_reject_ratio: 1\nevent_types: \(types)"
      try binary.writeJob { $0.replacingOccurrences(of: "job: test", with: keys) }
      try binary.write("data/log.jsonl", #"{"userId":"u1","eventType":"a, b","occurredAt":"2026-03-02T10:00:00Z"}"#)
      #expect(try run().exit == 0)
      #expect(try binary.text("reports/\(job)/latest/inputs.csv").contains("unknown_event_type") == isUnknown)
    }
  }

  @Test("A missing input ends with 66; an optional one does not")
  func missingInput() throws {
    try binary.writeJob { $0.replacingOccurrences(of: "log.jsonl", with: "logs-*.jsonl") }
    expect(try run(), exit: 66, saying: "test.yml, line 3: ", "../data/logs-*.jsonl", "optional: true")
    try binary.writeJob { $0.replacingOccurrences(of: "log.jsonl,", with: "logs-*.jsonl, optional: true,") }
    #expect(try run().exit == 0)
    expect(try binary.run("run", "jobs/none.yml"), exit: 66, saying: "jobs/none.yml")
  }

  @Test("An empty file is valid and has no rows")
  func emptyFile() throws {
    try binary.writeJob()
    try binary.write("data/log.jsonl", "")
    #expect(try run().exit == 0)
    #expect(try binary.text("reports/test/latest/inputs.csv").contains("purchases,../data/log.jsonl,0,00000000,0,0,,0"))
    // No assignments at all are another matter.
    try binary.write("data/users.csv", "")
    expect(try run(), exit: 65, saying: "nobody is in any group")
  }

  @Test("A file that cannot be opened is told with its name")
  func unreadable() throws {
    try binary.writeJob()
    try FileManager.default.removeItem(at: binary.folder.appendingPathComponent("data/log.jsonl"))
    try FileManager.default.createDirectory(
      at: binary.folder.appendingPathComponent("data/log.jsonl"), withIntermediateDirectories: true)
    expect(try run(), exit: 66, saying: "../data/log.jsonl")
  }

  @Test("Output that cannot be created ends with 73 and names the place, before the long work")
  func cannotCreate() throws {
    try binary.writeJob()
    try binary.write("taken", "a file where a folder should be")
    expect(try run("--output", "taken"), exit: 73, saying: "taken")
    expect(try run("--output", "taken/below"), exit: 73, saying: "taken")
    expect(try run("--output", "/proc/offerlift"), exit: 73, saying: "/proc/offerlift")
    #expect(try binary.text("taken") == "a file where a folder should be")
  }

  @Test("A second run of a job that is running ends with 75 and touches nothing")
  func locked() throws {
    try binary.writeJob()
    #expect(try run().exit == 0)
    let before = try binary.snapshot("reports")
    let descriptor = open(binary.folder.appendingPathComponent("reports/test/.lock").path, O_RDWR)
    try #require(descriptor >= 0)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    expect(try run(), exit: 75, saying: "job test", "run again")
    #expect(try binary.snapshot("reports") == before)
    close(descriptor)
    #expect(try run().exit == 0)
  }

  @Test("A bad job file ends with 78; every problem is told at once, each with its line")
  func badJob() throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "job: test", with: "job: te/st\npopulaton: exposed\nconfidence: 2")
    }
    let outcome = try run()
    #expect(outcome.exit == 78)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(outcome.errors)")
    #expect(lines.dropFirst().allSatisfy { $0.contains("jobs/test.yml, line ") }, "\(outcome.errors)")
    #expect(outcome.errors.contains("line 2: the job has no key \"populaton\"; did you mean \"population\"?"))
  }

  @Test("Control characters of a job file or a header never reach the terminal, and messages stay short")
  func controlCharacters() throws {
    let harmful: (Unicode.Scalar) -> Bool = { ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) }
    try binary.writeJob { $0 + "\"\\e[2J\\x9b\": 1\npopulation: \"\\e]0;owned\\a\\nofferlift: all is well\"\n" }
    for command in ["run", "check"] {
      let outcome = try binary.run(command, "jobs/test.yml")
      #expect(outcome.exit == 78)
      #expect(!outcome.errors.unicodeScalars.contains(where: harmful), "\(outcome.errors.debugDescription)")
      #expect(outcome.errors.split(separator: "\n").count == (command == "run" ? 2 : 3), "\(outcome.errors)")
    }
    try binary.writeJob { $0.replacingOccurrences(of: "format: csv}", with: "format: csv, columns: {user: usr}}") }
    let users = try binary.text("data/users.csv")
    let columns = (1...100_000).map { "column \u{1b}[31m\($0)" }.joined(separator: ",")
    try binary.write("data/users.csv", "\(columns),\(users)")
    let outcome = try run()
    #expect(outcome.exit == 78)
    #expect(!outcome.errors.unicodeScalars.contains(where: harmful))
    #expect(outcome.errors.utf8.count < 2500)
    #expect(outcome.errors.contains("no column \"usr\"") && outcome.errors.contains("test.yml, line 2"))
  }

  @Test("A wrong column name ends with 78 and names the right one")
  func wrongColumn() throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "users.csv, format: csv", with: "users.csv, format: csv, columns: {user: usr}")
    }
    expect(try run(), exit: 78, saying: "../data/users.csv, line 1: ", "Did you mean \"user\"?", "test.yml, line 2")
  }

  @Test("One bad job among several does not keep the others from their night")
  func severalJobs() throws {
    try binary.writeJob()
    try binary.write("jobs/other.yml", Binary.job.replacingOccurrences(of: "job: test", with: "job: other"))
    try binary.write(
      "jobs/broken.yml",
      Binary.job.replacingOccurrences(of: "job: test", with: "job: broken").replacingOccurrences(
        of: "log.jsonl", with: "none"))
    let outcome = try binary.run("run", "jobs/broken.yml", "jobs/test.yml", "jobs/other.yml", "--date", "2026-03-31")
    #expect(outcome.exit == 66)
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test("A night to come is refused, and taken where that is allowed")
  func toCome() throws {
    try binary.writeJob()
    for options in [
      ["--date", "2098-01-01"], ["--as-of", "2098-01-01T00:00:00Z"], ["--from", "2026-03-30", "--to", "2098-01-01"],
    ] {
      expect(try binary.run(["run", "jobs/test.yml"] + options), exit: 64, saying: "still to come", "--allow-future")
    }
    #expect(!FileManager.default.fileExists(atPath: binary.folder.appendingPathComponent("reports").path))
    expect(try binary.run("plan", "jobs/test.yml", "--date", "2098-01-01"), exit: 64, saying: "--allow-future")
    #expect(try binary.run("run", "jobs/test.yml", "--date", "2098-01-01", "--allow-future").exit == 0)
  }

  @Test("Asked to be quiet it says nothing of a night that is published, and all of one that is not")
  func quiet() throws {
    try binary.writeJob()
    for command in [
      ["run", "jobs/test.yml", "--date", "2026-03-31"], ["check", "jobs/test.yml"], ["report", "reports/test/latest"],
    ] {
      let outcome = try binary.run(command + ["--quiet"])
      #expect(outcome.exit == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(command): \(outcome)")
    }
    try binary.write("data/log.jsonl", "")
    let failed = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", "--quiet", "--strict")
    expect(failed, exit: 3, saying: "a check failed: test 2026-03-31")
    expect(try binary.run("run", "jobs/none.yml", "--quiet"), exit: 66, saying: "no such job file")
  }

  @Test("An empty argument is refused with the one before it")
  func emptyArgument() throws {
    try binary.writeJob()
    expect(try run("--output", ""), exit: 64, saying: "An argument is empty, behind --output")
    expect(try run("--output="), exit: 64, saying: "An argument is empty, --output=")
    expect(try binary.run("init", "--example", ""), exit: 64, saying: "behind --example")
  }

  @Test("Links lead to where readers open reports, by the job or the command line")
  func links() throws {
    try binary.writeJob { $0 + "report_url: https://job.example.org/reports\n" }
    #expect(try run("--notify-file", "eml=mail").exit == 0)
    #expect(
      try binary.text("reports/test/metrics.prom").contains(
        "url=\"https://job.example.org/reports/test/2026-03-31/report.html\""))
    #expect(try run("--report-url", "https://line.example.org/").exit == 0)
    #expect(
      try binary.text("reports/test/metrics.prom").contains(
        "url=\"https://line.example.org/test/2026-03-31/report.html\""))
    expect(try run("--report-url", "reports"), exit: 64, saying: "--report-url \"reports\" is no address")
    try binary.writeJob { $0 + "report_url: reports\n" }
    #expect(try binary.run("check", "jobs/test.yml").errors.contains("\"reports\" is no address; write https://"))
  }

  @Test(
    "A wrong path is told with the nearest one",
    arguments: [
      ["run", "job/test.yml"], ["check", "jobs/tets.yml"],
      ["init", "--assignments", "data/user.csv", "--purchases", "data/log.jsonl"],
      ["analyze", "data/uesrs.csv"], ["simulate", "data/usres.csv", "--output", "o"],
    ])
  func nearest(command: [String]) throws {
    try binary.writeJob()
    let outcome = try binary.run(command)
    #expect(outcome.exit == 66)
    #expect(outcome.errors.contains(/Did you mean "(jobs\/test\.yml|data\/users\.csv)"\?/), "\(outcome.errors)")
  }

  @Test("A wrong path in a job is told with the nearest one, or with what the folder has")
  func nearestInput() throws {
    try binary.writeJob { $0.replacingOccurrences(of: "data/users.csv", with: "data/user.csv") }
    expect(try run(), exit: 66, saying: "Did you mean \"../data/users.csv\"?", "optional: true")
    try binary.writeJob { $0.replacingOccurrences(of: "data/log.jsonl", with: "data/logs-*.gz") }
    expect(try run(), exit: 66, saying: "The folder \"../data\" has log.jsonl and users.csv.")
  }
}
