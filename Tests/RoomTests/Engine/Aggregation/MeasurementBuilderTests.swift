import Foundation
import Statistics
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Segments")
struct MeasurementBuilderTests {
  private func segments(_ measurement: RunMeasurement, _ group: Identifier = "control") -> [String: Int] {
    let found = measurement.offering?.groups.first { $0.id == group }?.segments ?? []
    return Dictionary(uniqueKeysWithValues: found.map { ($0.id.text, $0.users) })
  }

  private func world(_ values: [String], job: String = "segments: [country]") -> World {
    var world = World()
    world.attributes = ["country"]
    world.assignments = values.enumerated().map { "u\($0.offset),test,control,2026-03-01,\($0.element)" }
    world.job = job
    return world
  }

  @Test("Users are split by the attribute's values; a missing one is (none)")
  func values() async throws {
    let found = try await world(["DE", "US", "DE", ""]).measure()
    #expect(segments(found) == ["all": 4, "country=DE": 2, "country=US": 1, "country=(none)": 1])
  }

  @Test("The twenty largest values stand by themselves, ties by name, and the rest is (other)")
  func others() async throws {
    let values = (0..<25).flatMap { number in
      Array(repeating: "c\(number < 10 ? "0" : "")\(number)", count: number < 3 ? 2 : 1)
    }
    let found = segments(try await world(values).measure())
    #expect(found.count == 22)
    #expect(found["country=c00"] == 2)
    #expect(found["country=c19"] == 1)
    #expect(found["country=c20"] == nil)
    #expect(found["country=(other)"] == 5)
    #expect(found["all"] == 28)
  }

  @Test("Which values are large is asked of the offering, not of the group")
  func acrossGroups() async throws {
    var world = world((0..<20).flatMap { ["c\($0)", "c\($0)"] })
    world.assignments += (0..<3).map { "x\($0),test,a,2026-03-01,small\($0)" } + ["y,test,a,2026-03-01,c1"]
    let found = try await world.measure()
    #expect(segments(found, "a") == ["all": 4, "country=(other)": 3, "country=c1": 1])
  }

  @Test("A metric may be split by attributes of its own, or by none")
  func ownSegments() async throws {
    var world = world(["DE"], job: "segments: [country]")
    world.attributes = ["country", "platform"]
    world.assignments = ["u1,test,control,2026-03-01,DE,ios", "u2,test,control,2026-03-01,DE,web"]
    world.metrics = [
      "{name: charges, window: none}", "{name: charges, window: 7d, segments: [platform]}",
      "{name: charges, window: 1d, segments: []}",
    ]
    let found = try await world.measure()
    let measured = found.offering?.groups.first?.segments.map { segment in
      "\(segment.id) \(segment.metrics.map { $0 == nil ? "-" : "\($0!.statistics.n)" }.joined())"
    }
    #expect(measured == ["all 222", "country=DE 2--", "platform=ios -1-", "platform=web -1-"])
  }

  @Test("Of rows at one time the smaller attribute values count, whatever the order")
  func ties() async throws {
    for rows in [
      ["u,test,a,2026-03-01,US", "u,test,a,2026-03-01,DE"], ["u,test,a,2026-03-01,DE", "u,test,a,2026-03-01,US"],
    ] {
      var world = world([])
      world.assignments = rows
      #expect(segments(try await world.measure(), "a") == ["all": 1, "country=DE": 1])
    }
  }

  @Test("Segments add up to all of them")
  func sums() async throws {
    var world = world((0..<40).map { "c\($0 % 7)" })
    world.events = (0..<40).map { event("purchase", march(2), ["userId": "u\($0)", "price": "\($0).5"]) }
    let found = try await world.measure()
    let group = try #require(found.offering?.groups.first)
    let all = try #require(group.segments.first?.metrics[0]?.statistics)
    let parts = group.segments.dropFirst().compactMap { $0.metrics[0]?.statistics }
    var sum = SufficientStatistics()
    for part in parts { _ = sum.merge(part) }
    #expect(sum == all)
    #expect(all.n == 40)
  }
}
