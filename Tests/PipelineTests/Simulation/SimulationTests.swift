import Foundation
import Testing

@testable import Pipeline

@Suite("Simulation")
struct SimulationTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let sample = repository.appending(path: "sample-data/offering")

  /// Runs `body` with a folder that is gone afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "simulation-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test("makes the committed sample data again, byte for byte")
  func sampleData() throws {
    try withFolder { folder in
      let scenario = Self.sample.appending(path: "scenario.yml").path
      _ = try Simulation.run(scenario: scenario, output: folder)
      let made = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let committed = try FileManager.default.contentsOfDirectory(atPath: Self.sample.path).sorted()
      #expect(made == committed.filter { $0 != "scenario.yml" })
      for name in made {
        let new = FileManager.default.contents(atPath: "\(folder)/\(name)")
        let old = FileManager.default.contents(atPath: Self.sample.appending(path: name).path)
        #expect(new == old, "\(name) differs from the committed file")
      }
    }
  }

  @Test("has every kind of dirt in the sample data")
  func everyKind() throws {
    let truth = try String(contentsOf: Self.sample.appending(path: "truth.csv"), encoding: .utf8)
    let names = EventDirt.allCases.map(\.rawValue) + AssignmentDirt.allCases.map(\.rawValue)
    for name in names where name != "none" {
      let line = try #require(truth.split(separator: "\n").first { $0.hasPrefix("dirt,,\(name),") })
      #expect(line.split(separator: ",").last != "0", "\(name)")
    }
  }

  @Test("refuses a folder with shards of another scenario and leaves them alone")
  func foreignShards() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try OutputFile.write([1, 2, 3], to: "\(folder)/purchases-77.jsonl.gz")
      let scenario = Self.sample.appending(path: "scenario.yml").path
      let error = #expect(throws: OfferliftError.self) {
        try Simulation.run(scenario: scenario, output: folder)
      }
      #expect(error?.exit == .cannotCreateOutput)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["purchases-77.jsonl.gz"])
    }
  }

  @Test("says so when the folder cannot be made")
  func noFolder() {
    let scenario = Self.sample.appending(path: "scenario.yml").path
    let error = #expect(throws: OfferliftError.self) {
      try Simulation.run(scenario: scenario, output: "\(scenario)/below-a-file")
    }
    #expect(error?.exit == .cannotCreateOutput)
  }

  @Test("gives exact duplicates the bytes of their original")
  func duplicates() throws {
    let yaml = ScenarioTests.small + "dirt: {duplicate: 0.3}\nlines: {fractions: 0.5, unknown_keys: 0.5}\n"
    let scenario = try Scenario(yaml: yaml, file: "small.yml")
    let crowd = try Crowd(of: scenario)
    let line = EventLine(scenario)
    let lines = crowd.shards.joined().map { event in
      var bytes: [UInt8] = []
      line.write(event, to: &bytes)
      return bytes
    }
    #expect(lines.count - Set(lines).count == crowd.happened.dirt[.duplicate])
  }

  @Test("spoils a line so that no JSON reader takes it")
  func malformed() throws {
    let yaml = ScenarioTests.small + "dirt: {malformed: 0.3, truncated: 0.3}\n"
    let scenario = try Scenario(yaml: yaml, file: "small.yml")
    let line = EventLine(scenario)
    for event in try Crowd(of: scenario).shards.joined() {
      var bytes: [UInt8] = []
      line.write(event, to: &bytes)
      let object = try? JSONSerialization.jsonObject(with: Data(bytes))
      #expect((object is [String: Any]) == (event.dirt == .none), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
