import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement

/// Plans of no whole weeks, and plans that are over before the windows are.
struct PlannedEndCheckTests {
  private func checks(_ nights: Int?, window: Double = 7) -> [Check] {
    let job = HandMade.job { job in
      var request = MetricRequest(name: "revenue_net", id: "revenue_net", line: 1)
      request.primary = true
      request.windowMilliseconds = Int64(window * Double(Instant.millisecondsPerDay))
      job.metrics = [request]
      job.plan = nights.map { PlannedTest(.nights($0)) }
    }
    return PlannedEndCheck().checks(of: HandMade.checked(HandMade.offering(), job: job))
  }

  @Test("Whole weeks that are longer than the windows say nothing; nor does a test without a plan")
  func silent() {
    for nights in [14, 28, 56, nil] { #expect(checks(nights).isEmpty) }
  }

  @Test("A plan below a week, or of no whole weeks, warns with what to write", arguments: [(5, 7), (10, 7), (25, 28)])
  func weeks(nights: Int, better: Int) throws {
    let found = try #require(checks(nights, window: 1).first)
    #expect(found.status == .warn && found.message.contains("write plan: {nights: \(better)}"))
  }

  @Test("A plan that is over before anybody's window is warns with a longer one")
  func windows() throws {
    let found = try #require(checks(28, window: 30).first)
    #expect(found.status == .warn && found.message.contains("Write plan: {nights: 49}"))
  }
}
