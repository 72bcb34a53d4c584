import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("On which days users began")
struct ArrivalTallyTests {
  private func tally(_ days: [Int64]) -> ArrivalTally {
    var tally = ArrivalTally()
    for (number, day) in days.enumerated() {
      tally.add(day * Instant.millisecondsPerDay + Int64(number) * 1000)
    }
    return tally
  }

  @Test("A day begins at midnight, also before 1970")
  func midnight() {
    var tally = ArrivalTally()
    for milliseconds in [-1, 0, Instant.millisecondsPerDay - 1, Instant.millisecondsPerDay] { tally.add(milliseconds) }
    #expect(tally.days == [(-1, 1), (0, 2), (1, 1)].map { ArrivalDay(day: $0, users: $1) })
  }

  @Test("Days far from each other are counted, in whatever order and parts they come")
  func far() {
    let days: [Int64] = [20_500, 20_500, 0, 20_501, 19_988, 19_987, 21_011, 21_012, -700_000, 20_500]
    let expected = Dictionary(grouping: days) { $0 }.sorted { $0.key < $1.key }
      .map { ArrivalDay(day: $0.key, users: $0.value.count) }
    #expect(tally(days).days == expected)
    #expect(tally(days.reversed()).days == expected)
    var merged = tally(Array(days[..<3]))
    merged.merge(ArrivalTally())
    merged.merge(tally(Array(days[3...])))
    #expect(merged.days == expected)
    var empty = ArrivalTally()
    empty.merge(tally(days))
    #expect(empty.days == expected)
  }

  @Test("Every measured user arrives once, idle ones too, on the day the population says")
  func measured() async throws {
    var world = World()
    world.assignments = [
      "u1,test,control,2026-03-01T23:59:59.999Z", "u2,test,control,2026-03-02T00:00:00Z",
      "u3,test,a,2026-03-02", "u4,test,a,2026-03-02", "u4,test,control,2026-03-03", "u5,test,a,2026-04-01",
    ]
    world.events = [event("paywall_view", march(5)), event("paywall_view", march(7), ["userId": "u3"])]
    func days(_ world: World) async throws -> [String] {
      let groups = try #require(try await world.measure().offering).groups
      return groups.flatMap { group in
        group.tables.arrivals.map { "\(group.id) \(CivilDate(day: $0.day)) \($0.users)" }
      }
    }
    #expect(try await days(world) == ["a 2026-03-02 1", "control 2026-03-01 1", "control 2026-03-02 1"])
    world.job = "population: exposed"
    #expect(try await days(world) == ["a 2026-03-07 1", "control 2026-03-05 1"])
  }
}
