import Foundation
import Testing

@Suite("Commands that are none")
struct UnknownCommandTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  @Test(
    "An unknown command is an error that names the one that was meant",
    arguments: [["runn", "jobs/test.yml"], ["runn", "--help"], ["runn"]])
  func unknown(arguments: [String]) throws {
    let outcome = try binary.run(arguments)
    #expect(outcome.exit == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("There is no command \"runn\"; did you mean \"run\"?"))
  }

  @Test("One that is like none is answered with all there are")
  func unlike() throws {
    let outcome = try binary.run("nonsense")
    #expect(outcome.exit == 64)
    #expect(outcome.errors.contains("known are run, plan, init, check, explain, "))
  }

  @Test("Every command refuses an option it does not know, and asks for what is missing", arguments: commands)
  func options(command: String) throws {
    for arguments in [[command, "--nonsense"], [command]] {
      let outcome = try binary.run(arguments)
      #expect(outcome.exit == 64, "\(arguments): \(outcome.output)")
      #expect(outcome.output.isEmpty)
    }
  }

  private static let commands = ["run", "check", "explain", "analyze", "power", "report", "simulate"]

  @Test(
    "Help that is asked for is no error", arguments: [[], ["--help"], ["help"], ["help", "run"], ["run", "--help"]])
  func help(arguments: [String]) throws {
    let outcome = try binary.run(arguments)
    #expect(outcome.exit == 0)
    #expect(outcome.output.contains("USAGE:"))
  }
}
