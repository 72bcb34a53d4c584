import Foundation
import Statistics
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Users by the phase of dated weights and by the day of their assignment.
struct AssignmentStrataTests {
  /// Six users over three days; weights change on the second at noon.
  private var world: World {
    var world = World()
    world.attributes = ["device"]
    world.assignments = [
      "u1,test,control,2026-02-27T08:00:00Z,phone", "u2,test,control,2026-03-01T23:59:59Z,phone",
      "u3,test,b,2026-03-02T11:59:59Z,tablet", "u4,test,b,2026-03-02T12:00:00Z,phone",
      "u5,test,control,2026-03-03T00:00:00Z,tablet", "u6,test,control,2026-03-03T09:00:00Z,phone",
      "u7,other,control,2026-03-02T09:00:00Z,phone",
    ]
    world.events = [
      event("purchase", march(4), ["userId": "u2", "price": "3"]),
      event("purchase", march(4), ["userId": "u4", "price": "5"]),
      event("purchase", march(5), ["userId": "u4", "price": "2"]),
      event("purchase", march(6), ["userId": "u6", "price": "7"]),
    ]
    world.metrics = [
      "{name: revenue_net, window: 7d, id: net}", "{name: charges, window: 7d, stratify: day}",
      "{name: revenue_gross, window: 7d, cap: {percentile: 50}, stratify: day, id: cut}",
      "{name: quantile, of: charges, q: 0.5, window: 7d}",
    ]
    world.job = """
      segments: [device]
      weights:
        - {from: 2026-03-01, test: {control: 9, b: 1}}
        - {from: 2026-03-02T12:00:00Z, test: {control: 1, b: 1}}
      """
    return world
  }

  private func group(_ id: Identifier, _ found: RunMeasurement) throws -> GroupMeasurement {
    try #require(found.offerings.first { $0.id == "test" }?.groups.first { $0.id == id })
  }

  @Test("Sums by phase and day are those of their users, whatever way they are counted, and are no segments")
  func everyWay() async throws {
    let folder = try TemporaryFolder()
    let ways = EveryWay(folder: folder, path: try world.write(to: folder))
    try await ways.forEach { found, way in
      let (control, b) = (try group("control", found), try group("b", found))
      #expect(control.assignedPhases == [1, 1, 2] && b.assignedPhases == [0, 1, 1], way)
      #expect(control.segments.map(\.id) == ["all", "device=phone", "device=tablet"], way)
      #expect(control.segments.map(\.phases) == [[1, 1, 2], [1, 1, 1], [0, 0, 1]], way)
      // Users and Σy by phase, of the metrics that have sums.
      #expect(control.byPhase.map(\.number) == [0, 1, 2], way)
      #expect(control.byPhase.map { $0.metrics[0]?.statistics.n } == [1, 1, 2], way)
      #expect(control.byPhase.map { $0.metrics[0]?.statistics.sumY } == [0, 3_000_000, 7_000_000], way)
      #expect(b.byPhase.map { $0.metrics[1]?.statistics.sumY } == [0, 2], way)
      #expect(control.byPhase.allSatisfy { $0.metrics[3] == nil }, way)
      // Days of the metrics that ask for them; the day on which weights changed is two.
      #expect(control.byDay.count == 3 && b.byDay.count == 2, way)
      #expect(Set(control.byDay.map(\.number)).isDisjoint(with: b.byDay.map(\.number)), way)
      #expect(control.byDay.map { $0.metrics[1]?.statistics.n } == [1, 1, 2], way)
      #expect(control.byDay.allSatisfy { $0.metrics[0] == nil }, way)
      // The cap is that of all users: the median of 3, 7 and 7.
      #expect(control.byDay.map { $0.metrics[2]?.statistics.sumY } == [0, 3_000_000, 7_000_000], way)
      #expect(b.segments[0].metrics[0]?.largest == [7_000_000], way)
      #expect(control.segments[0].metrics[0]?.largest == [7_000_000, 3_000_000], way)
      #expect(control.segments[0].metrics[2]?.largest == [], way)
      let other = try #require(found.offerings.first { $0.id == "other" })
      #expect(other.weightPhases.isEmpty && other.groups[0].byPhase.isEmpty && other.groups[0].byDay.count == 1, way)
    }
  }

  @Test("Every night's strata are those of a run at its cut-off")
  func nights() async throws {
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    let run = try await World.measure(path, asOf: "2026-03-10", threads: 2)
    let nights = try run.daily.nights()
    #expect(nights.count == 11)
    for night in nights {
      let alone = try await World.measure(path, asOf: night.asOf.rfc3339, threads: 1)
      #expect(strata(night.offerings) == strata(alone.offerings), "\(night.asOf.rfc3339)")
    }
  }

  private func strata(_ offerings: [OfferingMeasurement]) -> [String] {
    offerings.flatMap { offering in
      offering.groups.flatMap { group in
        (group.byPhase + group.byDay).flatMap { stratum in
          stratum.metrics.map { "\(offering.id) \(group.id) \(stratum.number) \($0?.statistics as Any)" }
        }
      }
    }
  }

  @Test("The ten largest are kept, whatever their order and however they are merged")
  func largest() {
    let values = (1...50).map { Int128($0 * 37 % 53) }
    var (whole, left, right) = (LargestValues(), LargestValues(), LargestValues())
    for (position, value) in values.enumerated() {
      whole.add(value)
      if position % 3 == 0 { left.add(value) } else { right.add(value) }
    }
    left.merge(right)
    #expect(whole.values == Array(values.sorted(by: >).prefix(10)))
    #expect(left.values == whole.values)
    whole.add(0)
    #expect(whole.values.count == LargestValues.count)
  }
}
