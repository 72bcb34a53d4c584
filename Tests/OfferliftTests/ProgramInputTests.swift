import Foundation
import Testing

/// `command:` in the place of `path:`, through the program.
@Suite("A program's output as a file")
struct ProgramInputTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  private func tables() throws -> [String: Data] {
    try binary.snapshot("reports/test/2026-03-31").filter { $0.key.hasSuffix(".csv") && $0.key != "inputs.csv" }
  }

  private func run(_ arguments: String...) throws -> Binary.Outcome {
    try binary.run(["run", "jobs/test.yml", "--date", "2026-03-31"] + arguments)
  }

  private func write(_ command: String) throws {
    try binary.writeJob {
      $0.replacingOccurrences(of: "path: ../data/log.jsonl", with: "command: \(command)")
    }
  }

  @Test("counts as the same bytes in a file do, kept events and little memory too")
  func sameAsFile() throws {
    try binary.writeJob()
    #expect(try run().exit == 0)
    let plain = try tables()
    try write("[gzip, -c, ../data/log.jsonl]")
    let job = try binary.text("jobs/test.yml")
    for (keys, arguments) in [("", []), ("state: {path: ../state}\n", []), ("", ["--memory", "96M"])] {
      try binary.write("jobs/test.yml", job + keys)
      let outcome = try binary.run(
        ["run", "jobs/test.yml", "--date", "2026-03-31", "--allow-commands"] + arguments)
      #expect(outcome.exit == 0, "\(outcome.errors)")
      #expect(try tables() == plain)
    }
    #expect(try binary.text("reports/test/2026-03-31/inputs.csv").contains("command: gzip -c ../data/log.jsonl"))
  }

  @Test("is asked for by run --allow-commands alone, and the message says so")
  func notAllowed() throws {
    try write("[cat, ../data/log.jsonl]")
    let outcome = try run()
    #expect(outcome.exit == 78)
    #expect(outcome.errors.contains("cat ../data/log.jsonl") && outcome.errors.contains("--allow-commands"))
    #expect(try binary.run("check", "jobs/test.yml").exit == 78)
  }

  @Test("is asked for as engine: submit: of a job, too: no job file starts a program", arguments: ["run", "plan"])
  func submitNotAllowed(_ command: String) throws {
    let made = binary.folder.path + "/made"
    let submit = "/bin/sh -c 'touch \(made)'"
    try binary.writeJob { $0 + "engine: {name: spark, submit: \"\(submit)\"}\n" }
    let folder = command == "plan" ? ["--folder", "plan"] : []
    let outcome = try binary.run([command, "jobs/test.yml", "--date", "2026-03-31"] + folder)
    #expect(outcome.exit == 78)
    #expect(outcome.errors.contains("engine: submit:") && outcome.errors.contains("--allow-commands"))
    #expect(!FileManager.default.fileExists(atPath: made))
    // Whoever says so starts it.
    _ = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", "--allow-commands")
    #expect(FileManager.default.fileExists(atPath: made))
  }

  @Test("never goes through a shell")
  func noShell() throws {
    try write(#"[echo, "$HOME; touch ../data/gone"]"#)
    _ = try run("--allow-commands")
    #expect(!FileManager.default.fileExists(atPath: binary.folder.path + "/data/gone"))
  }

  @Test(
    "fails the run where it fails, with its last word",
    arguments: [
      (#"[sh, -c, "echo no such bucket >&2; exit 3"]"#, 65, "no such bucket"),
      (#"[sh, -c, "head -c 40 ../data/log.jsonl; kill -9 $$"]"#, 65, "it said nothing"),
      ("[no-such-program-here]", 66, "no-such-program-here"), ("[../data/log.jsonl]", 66, "cannot be started"),
    ])
  func failing(command: String, exit: Int32, said: String) throws {
    try write(command)
    let outcome = try run("--allow-commands")
    #expect(outcome.exit == exit && outcome.errors.contains(said), "\(outcome.errors)")
    #expect(outcome.errors.contains("test.yml, line"))
    #expect(!FileManager.default.fileExists(atPath: binary.folder.path + "/reports/test/2026-03-31"))
  }

  @Test("stands in the place of a path, and is a list", arguments: ["[]", "[\"\"]", "{a: b}", "[cat], path: x"])
  func wrong(command: String) throws {
    try write(command)
    #expect(try run("--allow-commands").exit == 78)
  }
}
