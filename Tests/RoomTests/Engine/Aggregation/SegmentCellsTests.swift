import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Cells that segments are merged from")
struct SegmentCellsTests {
  /// Metrics whose quantities are nothing, one and much, whose windows end or do not, and of which one is counted by value
  /// and one is not split.
  private static let metrics = [
    "{name: revenue_net, window: 7d, cap: {percentile: 99}}", "{name: paying_conversion, window: 7d}",
    "{name: charges, window: 30d, segments: [a]}", "{name: refund_rate, window: none}",
  ]

  private func plan() async throws -> MeasurementPlan {
    var world = World()
    world.attributes = ["a", "b"]
    world.assignments = ["u1,test,control,2026-03-01T00:00:00Z,x,y"]
    world.metrics = Self.metrics
    world.job = "segments: [a, b]"
    let folder = try TemporaryFolder()
    let job = try JobReader.read(try world.write(to: folder))
    return try await RunInParts(job, cutoff: Instant("2026-04-01", timezone: job.timezone)).plan
  }

  private struct User {
    var group: Int
    var start: Int64
    var values: [UInt32]
    /// Times of charges of 10.
    var charges: [Int64]
  }

  private static let cutoff = Int64(1_775_001_600_000)

  private func users() -> [User] {
    var dice = Dice(seed: 31)
    return (0..<400).map { _ in
      let start = Self.cutoff - Int64(dice.below(40)) * Instant.millisecondsPerDay
      let charges = (0..<(dice.chance(0.4) ? 0 : dice.below(4))).map { start + Int64($0) * 3_600_000 }
      let values = (0..<2).map { _ in dice.chance(0.1) ? Interner.none : UInt32(dice.below(5)) }
      return User(group: dice.below(2), start: start, values: values, charges: charges)
    }
  }

  /// The sums of two groups, of users who are added by `add`.
  private func sums(_ plan: MeasurementPlan, of users: [User], mostCells: Int?) -> [GroupAccumulator] {
    var groups = (0..<2).map { _ in GroupAccumulator(metrics: plan.metrics.count, attributes: 2, tables: plan.tables) }
    let builder = plan.history.makeBuilder(cutoff: Self.cutoff)
    let quantities = MetricQuantities(plan.metrics)
    let cells = SegmentCells(plan.metrics, attributes: 2, mostCells: mostCells)
    for user in users {
      builder.history.removeAll()
      for time in user.charges {
        builder.history.append(
          UserHistory.Charge(
            time: time, type: .purchase, product: Interner.none, kind: .autoRenewable, gross: 10, refunded: 0,
            proceeds: 7))
      }
      let key = GroupKey(offering: 0, group: UInt32(user.group))
      quantities.accept(UserInGroup(history: builder.history, group: key), from: user.start)
      if cells.isFull { cells.merge(into: &groups) }
      cells.add(quantities, group: user.group, values: user.values)
    }
    cells.merge(into: &groups)
    return groups
  }

  /// Every sum in words, in an order of its own.
  private func words(_ groups: [GroupAccumulator]) -> [String] {
    groups.enumerated().flatMap { number, group in
      let segments = group.bySegment.enumerated().flatMap { attribute, values in
        values.sorted { $0.key < $1.key }.map { ("\(attribute)=\($0.key)", $0.value) }
      }
      return ([("all", group.all)] + segments).map { name, segment in
        let metrics = segment.metrics.map { metric in
          let counts = metric.counts.map { quantity, users in "\(quantity.y)x\(users)" }.sorted()
          return "\(metric.statistics) \(metric.immature) \(counts)"
        }
        return "\(number) \(name) \(segment.users) \(metrics)"
      }
    }
  }

  @Test("However few cells are kept, the sums are those of users added one by one")
  func fewCells() async throws {
    let plan = try await plan()
    let users = users()
    // Each user in cells of its own, whose sums are merged as partitions' are.
    var alone = sums(plan, of: [], mostCells: nil)
    for user in users {
      for (number, group) in sums(plan, of: [user], mostCells: nil).enumerated() { alone[number].merge(group) }
    }
    let expected = words(alone)
    #expect(expected.count > 20 && users.count == alone.reduce(0) { $0 + $1.all.users })
    for mostCells in [1, 2, 7, nil] { #expect(words(sums(plan, of: users, mostCells: mostCells)) == expected) }
  }

  @Test("A metric that is not split by an attribute has no sums in its segments")
  func notSplit() async throws {
    let plan = try await plan()
    let groups = sums(plan, of: users(), mostCells: 3)
    let byB = try #require(groups[0].bySegment[1].values.first { $0.users > 0 })
    #expect(byB.metrics[2].statistics.n == 0 && byB.metrics[2].immature == 0)
    #expect(groups[0].bySegment[0].values.contains { $0.metrics[2].statistics.sumY > 0 })
  }
}
