import ArgumentParser
import Foundation
import Testing

@testable import offerlift

@Suite("offerlift simulate")
struct SimulateCommandTests {
  @Test("takes a scenario and a folder")
  func parses() throws {
    let command = try SimulateCommand.parse(["scenario.yml", "--output", "folder"])
    #expect(command.scenario == "scenario.yml")
    #expect(command.output == "folder")
  }

  @Test("wants a folder, and says so")
  func needsOutput() {
    let error = #expect(throws: (any Error).self) { try SimulateCommand.parse(["scenario.yml"]) }
    #expect(error.map { SimulateCommand.message(for: $0) }?.contains("--output") == true)
  }

  @Test("helps with an example")
  func help() {
    #expect(SimulateCommand.helpMessage().contains("offerlift simulate sample-data/offering/scenario.yml"))
  }
}
