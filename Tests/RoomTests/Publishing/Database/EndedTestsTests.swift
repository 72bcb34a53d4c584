import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

/// What a job's ended tests teach the next one.
struct EndedTestsTests {
  /// A night of a test whose last user joined so many days before it.
  private func night(_ offering: Identifier, daysAgo: Int64, immature: Int = 0) throws -> NightResult {
    var measured = HandMade.offering(
      HandMade.group("control", users: 5000, HandMade.proportion(200, of: 5000)),
      HandMade.group("group_a", users: 5000, HandMade.proportion(250, of: 5000)), id: offering)
    let today = HandMade.asOf.milliseconds / Instant.millisecondsPerDay
    measured.groups[0].tables.arrivals = [ArrivalDay(day: today - daysAgo, users: 5000)]
    measured.groups[0].segments[0].metrics[0]?.immature = immature
    return try HandMade.night(measured, metrics: [HandMade.conversion])
  }

  private func ended(_ nights: [NightResult], before night: String = "2026-05-01") throws -> [EndedTest] {
    let folder = try ScratchFolder()
    for night in nights { try PublishedNight.publish(night, in: folder) }
    return try EarlierNights(root: folder.url, job: PublishedNight.job)
      .endedTests(before: night, metric: "paying_conversion_7d")
  }

  /// v = (0.05·0.95/4999 + 0.04·0.96/4999·1.25²)/0.04².
  @Test("A test that nobody joins and whose windows are over tells its lift and the delta method's variance")
  func lifts() throws {
    let tests = try ended([night("spring", daysAgo: 20)])
    try #require(tests.count == 1 && tests[0].lifts.count == 1)
    #expect(abs(tests[0].lifts[0].lift - 0.25) < 1e-12)
    #expect(abs(tests[0].lifts[0].variance / 0.01344018803760752 - 1) < 1e-9)
  }

  @Test("A test that goes on, one with open windows and a night to come teach nothing")
  func open() throws {
    #expect(try ended([night("spring", daysAgo: 3)]).isEmpty)
    #expect(try ended([night("spring", daysAgo: 20, immature: 1)]).isEmpty)
    #expect(try ended([night("spring", daysAgo: 20)], before: "2026-03-31").isEmpty)
    #expect(try ended([]).isEmpty)
  }
}
