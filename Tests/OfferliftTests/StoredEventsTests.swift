import Foundation
import Testing

/// `state:` of a job, through the program.
@Suite("offerlift run with state:")
struct StoredEventsTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  private func run(_ options: String...) throws -> Binary.Outcome {
    let outcome = try binary.run(["run", "jobs/test.yml", "--date", "2026-03-31"] + options)
    #expect(outcome.exit == 0, "\(outcome.errors)")
    return outcome
  }

  /// A night's files but the one that says when it was made.
  private func night() throws -> [String: Data] {
    try binary.snapshot("reports/test/2026-03-31").filter { $0.key != "run.json" }
  }

  /// The entries, and what tells one from another that took its place.
  private func entries() throws -> [String: Int] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    return try names.reduce(into: [:]) { entries, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      entries[name] = attributes[.systemFileNumber] as? Int
    }
  }

  private var folder: URL { binary.folder.appending(path: "state/events") }

  @Test("The same bytes come without it, while the events are kept, and when they are found, at any number of threads")
  func sameBytes() throws {
    try binary.writeJob()
    _ = try run()
    let plain = try night()
    try binary.writeJob { $0 + "state:\n" }
    _ = try run()
    #expect(try night() == plain)
    let retained = try entries()
    // Of the log and of the assignments.
    #expect(retained.count == 2)
    for threads in ["1", "2"] {
      #expect(try run("--threads", threads).errors.isEmpty)
      #expect(try night() == plain)
    }
    #expect(try entries() == retained)
    #expect(try binary.text("reports/test/2026-03-31/inputs.csv").contains("purchases,../data/log.jsonl,"))
  }

  /// What a night publishes by what is kept, held against what it publishes with all read anew.
  private func expectSame(on date: String, at location: SourceLocation = #_sourceLocation) throws {
    let nights = try ["state:\n", ""].map { state in
      try binary.write("jobs/test.yml", try binary.text("jobs/test.yml").replacing("state:\n", with: "") + state)
      let outcome = try binary.run([
        "run", "jobs/test.yml", "--date", date, "--output", "reports\(state.isEmpty ? "-anew" : "")",
      ])
      #expect(outcome.exit == 0, "\(outcome.errors)", sourceLocation: location)
      let folder = "reports\(state.isEmpty ? "-anew" : "")/test/\(date)"
      return try binary.snapshot(folder).filter { $0.key != "run.json" }
    }
    #expect(nights[0] == nights[1], "\(date)", sourceLocation: location)
  }

  @Test("Users whom a corrected file puts into the other group count there, that night and later")
  func regrouped() throws {
    try binary.writeJob()
    try expectSame(on: "2026-03-29")
    let rows = try binary.text("data/users.csv").split(separator: "\n").map(String.init)
    let lines = rows.enumerated().map { number, line in
      guard number % 8 == 3 else { return line }
      return line.replacing("treatment", with: "?").replacing("control", with: "treatment")
        .replacing("?", with: "control")
    }
    try binary.write("data/users.csv", lines.joined(separator: "\n") + "\n")
    for date in ["2026-03-30", "2026-03-31"] { try expectSame(on: date) }
  }

  @Test("The users of a test's first day are in daily.csv of every night", arguments: ["Europe/Berlin", "Asia/Tokyo"])
  func firstDay(timezone: String) throws {
    try binary.writeJob { "timezone: \(timezone)\n" + $0.replacing("window: 7d", with: "window: none") }
    for date in ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"] { try expectSame(on: date) }
    let daily = try binary.text("reports/test/2026-03-04/daily.csv")
    // Of 20 users each 6 and 7 have paid on the second day.
    let day = "2026-03-02,test,control,treatment,all,paying_conversion_none,proportion,true,increase,0.3,0.35,"
    #expect(daily.contains(day))
  }

  @Test("--fresh reads everything anew and keeps that")
  func fresh() throws {
    try binary.writeJob { $0 + "state: {path: ../state}\n" }
    _ = try run()
    let (plain, before) = (try night(), try entries())
    _ = try run("--fresh")
    #expect(try night() == plain)
    #expect(try entries().keys == before.keys)
    #expect(try entries() != before)
  }

  @Test("What is damaged is said on stderr and read anew, and the results are the same")
  func damaged() throws {
    try binary.writeJob { $0 + "state: {path: ../state}\n" }
    _ = try run()
    let plain = try night()
    var reported = ""
    for name in try entries().keys {
      var bytes = try Data(contentsOf: folder.appending(path: name))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: folder.appending(path: name))
      reported += try run().errors
      #expect(try night() == plain)
      #expect(try run().errors.isEmpty)
    }
    for file in ["log.jsonl", "users.csv"] {
      #expect(reported.contains("fails its checksum; ../data/\(file) was read anew."), "\(reported)")
    }
  }

  @Test("A metric more reads nothing again")
  func metrics() throws {
    try binary.writeJob { $0 + "state: {path: ../state}\n" }
    _ = try run()
    let before = try entries()
    try binary.writeJob { $0 + "  - {name: charges, window: 14d}\nstate: {path: ../state}\n" }
    _ = try run()
    #expect(try entries() == before)
    #expect(try binary.text("reports/test/latest/group_metrics.csv").contains("charges_14d"))
  }

  @Test("explain and check show lines of the files, and keep nothing")
  func others() throws {
    try binary.writeJob { $0 + "state: {path: ../state}\n" }
    #expect(try binary.run("check", "jobs/test.yml").exit == 0)
    #expect(try binary.run("explain", "jobs/test.yml", "--user", "u3", "--date", "2026-03-31").exit == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
