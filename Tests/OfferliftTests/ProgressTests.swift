import Foundation
import Testing

@Suite("Progress on stderr")
struct ProgressTests {
  private let binary: Binary

  init() throws {
    binary = try Binary()
    try binary.writeJob()
  }

  /// Runs the job before a terminal that `script` makes, and returns all that appears there.
  private func onTerminal(_ environment: [String: String] = [:]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "script", "-qec", "'\(Binary.program.path)' run jobs/none.yml", "/dev/null",
    ]
    process.currentDirectoryURL = binary.folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
    ) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Where stderr is no terminal a short run says nothing of it", arguments: ["auto", "never"])
  func silent(choice: String) throws {
    let outcome = try binary.run("run", "jobs/test.yml", "--date", "2026-03-20", "--progress", choice)
    #expect(outcome.exit == 0)
    #expect(!outcome.errors.contains("\r") && !outcome.errors.contains("\u{1b}"), "\(outcome.errors)")
  }

  @Test("Every command that may take long has it, and another word is refused")
  func everyCommand() throws {
    for command in ["run", "check", "explain", "power", "simulate"] {
      #expect(try binary.run(command, "--help").output.contains("--progress <when>"), "\(command)")
    }
    #expect(try binary.run("check", "jobs/test.yml", "--progress", "often").exit == 64)
    #expect(try binary.run("check", "jobs/test.yml", "--progress", "always").exit == 0)
  }

  @Test("Results and log lines are the same with a moving line as without")
  func sameResults() throws {
    let plain = try binary.run("run", "jobs/test.yml", "--date", "2026-03-20", "--progress", "never")
    let moving = try binary.run("run", "jobs/test.yml", "--date", "2026-03-20", "--progress", "always")
    #expect(moving.output == plain.output)
    #expect(moving.errors.hasSuffix(plain.errors))
  }

  @Test("An error is coloured on a terminal, and not where NO_COLOR or a dumb terminal says so")
  func colours() throws {
    #expect(try onTerminal().contains("\u{1b}[31mofferlift:\u{1b}[0m jobs/none.yml: there is no such job file."))
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let shown = try onTerminal(environment)
      #expect(shown.contains("offerlift: jobs/none.yml") && !shown.contains("\u{1b}[3"), "\(shown)")
    }
    #expect(try !binary.run("run", "jobs/none.yml").errors.contains("\u{1b}"))
  }
}
