import Foundation
import Testing

@testable import Domain
@testable import Platform
@testable import Simulation

@Suite("Simulation")
struct SimulationTests {
  private static let sample = repository.appending(path: "sample-data/offering")

  /// Runs `body` with a folder that is gone afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "simulation-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  /// A file that a simulation reads before it writes it anew: what it holds cannot be made twice.
  private func isRetained(_ name: String) -> Bool { name.hasSuffix(".pem") || name.contains("notification") }

  @Test(
    "makes the committed sample data again, byte for byte",
    arguments: ["offering", "professional", "tiers", "three-day", "trial", "stores"])
  func sampleData(system: String) throws {
    let committed = repository.appending(path: "sample-data/\(system)").path
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let names = try FileManager.default.contentsOfDirectory(atPath: committed).sorted()
      for name in names where isRetained(name) {
        try FileManager.default.copyItem(atPath: "\(committed)/\(name)", toPath: "\(folder)/\(name)")
      }
      _ = try Simulation.run(scenario: "\(committed)/scenario.yml", output: folder)
      let made = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(made == names.filter { $0 != "scenario.yml" })
      for name in made {
        let new = FileManager.default.contents(atPath: "\(folder)/\(name)")
        let old = FileManager.default.contents(atPath: "\(committed)/\(name)")
        #expect(new == old, "\(name) differs from the committed file")
      }
    }
  }

  @Test("stays below five megabytes in all")
  func size() throws {
    let folder = repository.appending(path: "sample-data").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let bytes = try names.reduce(0) { sum, name in
      let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
      return sum + (size ?? 0)
    }
    #expect(bytes > 1_000_000 && bytes < 5_000_000)
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
      try FileWriter.write([1, 2, 3], replacing: "\(folder)/purchases-77.jsonl.gz")
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

  @Test("lets old clients name their own groups, and no offering, and counts what they pay")
  func oldGroups() throws {
    let yaml =
      ScenarioTests.small + """
        old_clients: 0.2
        dirt: {group_mismatch: 0.5}
        old_groups:
          VAR1: {weight: 3, view_rate: 1, products: [{id: once, conversion: 0.5}]}
          VAR2: {weight: 1, view_rate: 1, products: [{id: once, conversion: 0}]}

        """
    let scenario = try Scenario(yaml: yaml, file: "small.yml")
    let crowd = try Crowd(of: scenario)
    let writer = EventLine(scenario)
    var lines: [String] = []
    for event in crowd.shards.joined() where event.user >= 1000 {
      var bytes: [UInt8] = []
      writer.write(event, to: &bytes)
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
    #expect(lines.allSatisfy { $0.contains("\"testGroupId\":\"VAR") && !$0.contains("offeringId") })
    let purchases = lines.count { $0.contains("one_time_purchase") }
    let outside = crowd.happened.outside
    #expect(outside.map(\.users).reduce(0, +) == 200 && (130...170).contains(outside[0].users))
    #expect(outside.map(\.payers) == [purchases, 0] && (50...100).contains(purchases))
    #expect(outside[0].net == Int64(purchases) * 2_500_000 && outside[0].charges == purchases)
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
