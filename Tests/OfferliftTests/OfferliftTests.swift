import Foundation
import Testing

@Suite("offerlift")
struct OfferliftTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  @Test("Every command has help with an example", arguments: ["run", "init", "check", "analyze", "power", "simulate"])
  func help(command: String) throws {
    let outcome = try binary.run(command, "--help")
    #expect(outcome.exit == 0)
    #expect(outcome.output.contains("USAGE: offerlift \(command)"))
    #expect(outcome.output.lowercased().contains("example"))
    #expect(outcome.output.contains("offerlift \(command) "))
    #expect(outcome.errors.isEmpty)
  }

  @Test("The program itself has help with an example, and a version")
  func itself() throws {
    let outcome = try binary.run("--help")
    #expect(outcome.exit == 0)
    #expect(outcome.output.contains("EXAMPLE"))
    for command in ["run", "check", "analyze"] { #expect(outcome.output.contains("  \(command) ")) }
    let version = try binary.run("--version")
    #expect(version.exit == 0)
    #expect(version.output.split(separator: ".").count == 3)
  }

  @Test("Without a command it shows its help")
  func nothing() throws {
    let outcome = try binary.run()
    #expect(outcome.output.contains("USAGE: offerlift") || outcome.errors.contains("USAGE: offerlift"))
  }
}
