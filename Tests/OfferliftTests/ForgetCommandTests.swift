import Foundation
import Testing

/// `offerlift forget`, through the program.
@Suite("offerlift forget")
struct ForgetCommandTests {
  private let binary: Binary
  /// A rejected row of u3, one of another, and one that is cut within u3's id.
  private static let rejects = [
    #"{"userId":"u3","eventType":"purchase","occurredAt":"2026-03-03T10:00:00Z","productId":"p","price":"secret","currency":"USD"}"#,
    #"{"userId":"u33","eventType":"purchase","occurredAt":"2026-03-03T10:00:00Z","productId":"p","price":"public","currency":"USD"}"#,
    "no JSON that names u3, its card",
  ]

  init() throws {
    binary = try Binary()
    try binary.writeJob { $0 + "max_reject_ratio: 1\nstate: {path: ../state}\n" }
    try binary.write(
      "data/log.jsonl", try binary.text("data/log.jsonl") + Self.rejects.joined(separator: "\n") + "\n")
    for date in ["2026-03-30", "2026-03-31"] { try run(date) }
  }

  private func run(_ date: String, _ options: String...) throws {
    let outcome = try binary.run(["run", "jobs/test.yml", "--date", date] + options)
    try #require(outcome.exit == 0, "\(outcome.errors)")
  }

  private func forget(_ options: String..., user: String = "u3") throws -> Binary.Outcome {
    try binary.run(["forget", "--user", user, "jobs/test.yml"] + options)
  }

  private func rejects(_ night: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc", binary.folder.appending(path: "reports/test/\(night)/rejects.csv.gz").path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: binary.folder.appending(path: "state/events").path)
      .filter { $0.hasSuffix(".blocks") }
  }

  /// The results, but for what has a clock in it or is remade of it.
  private func results() throws -> [String: Data] {
    try binary.snapshot("reports/test").filter { !$0.key.hasSuffix("run.json") && !$0.key.hasPrefix(".") }
  }

  /// Takes what names u3 out of the inputs.
  private func mendInputs() throws {
    for name in ["data/log.jsonl", "data/users.csv"] {
      let lines = try binary.text(name).split(separator: "\n").filter { !$0.contains(/\bu3\b/) }
      try binary.write(name, lines.joined(separator: "\n") + "\n")
    }
  }

  @Test("--dry-run names lines, entries and nights, and changes nothing")
  func trial() throws {
    let (results, state) = (try binary.snapshot("reports"), try entries())
    let outcome = try forget("--dry-run")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("where nothing was changed"))
    #expect(outcome.output.contains("log.jsonl: lines 1, 14, 16"), "\(outcome.output)")
    #expect(outcome.output.contains("users.csv: line 4"))
    #expect(outcome.output.contains("2 of its 2 kept files would be removed"))
    #expect(outcome.output.contains("2026-03-30 (2 rows), 2026-03-31 (2 rows)"))
    #expect(try binary.snapshot("reports") == results)
    #expect(try entries() == state)
  }

  @Test("How rows of the user begin is gone from every night, and everything else is as it was")
  func rejected() throws {
    let before = try results()
    let outcome = try forget()
    #expect(outcome.exit == 0, "\(outcome.errors)")
    for night in ["2026-03-30", "2026-03-31"] {
      let text = try rejects(night)
      #expect(!text.contains(/\bu3\b/) && !text.contains("secret") && !text.contains("card"), "\(text)")
      #expect(text.contains("u33") && text.contains("public"))
      #expect(text.split(separator: "\n").count == 4)
      #expect(text.split(separator: "\n").count { $0.hasSuffix(",,") } == 2)
    }
    let after = try results()
    let changed = before.keys.filter { before[$0] != after[$0] }.sorted()
    #expect(before.keys == after.keys)
    #expect(changed == ["2026-03-30/rejects.csv.gz", "2026-03-31/rejects.csv.gz", "results.sqlite"])
    #expect(try entries().isEmpty)
  }

  @Test("The next night is published upon it, and is that of a fresh start once the inputs are mended")
  func nextNight() throws {
    #expect(try forget().exit == 0)
    try mendInputs()
    try run("2026-04-01")
    let night = try binary.snapshot("reports/test/2026-04-01").filter { $0.key != "run.json" }
    try run("2026-04-01", "--fresh")
    #expect(try binary.snapshot("reports/test/2026-04-01").filter { $0.key != "run.json" } == night)
    #expect(try !binary.snapshot("state").values.contains { $0.range(of: Data("secret".utf8)) != nil })
    #expect(try binary.run("rebuild", "reports/test").exit == 0)
  }

  @Test("Typed again it finds nothing to do, and does nothing")
  func again() throws {
    #expect(try forget().exit == 0)
    try mendInputs()
    let results = try binary.snapshot("reports")
    let outcome = try forget()
    #expect(outcome.exit == 0)
    #expect(outcome.output.contains("no line names u3") && outcome.output.contains("none of its 0 kept files"))
    #expect(outcome.output.contains("no published night"))
    #expect(
      try binary.snapshot("reports").filter { !$0.key.contains(".lock") }
        == results.filter { !$0.key.contains(".lock") })
  }

  @Test("A user whom nobody names is no error, and nothing changes")
  func stranger() throws {
    let results = try results()
    let outcome = try forget(user: "nobody")
    #expect(outcome.exit == 0 && outcome.output.contains("no line names nobody"))
    #expect(try self.results() == results)
    #expect(try entries().count == 2)
  }

  @Test("Where the inputs are gone, what is kept goes all the same")
  func withoutInputs() throws {
    try FileManager.default.removeItem(at: binary.folder.appending(path: "data/log.jsonl"))
    let outcome = try forget()
    #expect(outcome.exit == 0 && outcome.output.contains("could not be searched"), "\(outcome.output)")
    #expect(try !rejects("2026-03-31").contains("secret"))
    #expect(try entries().isEmpty)
  }
}
