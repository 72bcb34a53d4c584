import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Which group the others are held against.
struct MeasuredBaselineTests {
  private func offering(_ groups: [Identifier]) -> OfferingMeasurement {
    OfferingMeasurement(id: "spring", groups: groups.map { HandMade.group($0, users: 10) })
  }

  private func choice(_ groups: [Identifier], _ change: (inout Job) -> Void = { _ in }) -> Identifier? {
    BaselineRule(job: HandMade.job(change)).baseline(measuredIn: offering(groups))
  }

  private func check(_ groups: [Identifier], baseline: Identifier?) -> Check? {
    let compared = CheckedComparisons(offering: offering(groups), metrics: [], baseline: baseline)
    return BaselineCheck().checks(of: compared).first
  }

  @Test("It is control, or the only group there is")
  func controlOnlyGroup() {
    #expect(choice(["apple", "control"]) == "control")
    #expect(choice(["apple"]) == "apple")
    #expect(choice([]) == nil)
  }

  @Test("The job may name another, for one offering or for all")
  func jobMayName() {
    #expect(choice(["apple", "pear"]) { $0.baseline.group = "pear" } == "pear")
    let own = choice(["apple", "pear"]) { job in
      job.baseline.group = "pear"
      job.baseline.byOffering = ["spring": "apple"]
    }
    #expect(own == "apple")
  }

  @Test("Where nobody of the baseline is measured nothing is compared, and a check says so")
  func nobodyBaselineMeasured() throws {
    let absent = choice(["apple", "pear"]) { $0.baseline.group = "control" }
    #expect(absent == nil)
    #expect(check(["apple", "pear"], baseline: nil)?.status == .warn)
    #expect(check(["apple", "control"], baseline: "control") == nil)
    #expect(check([], baseline: nil) == nil)
    let night = try HandMade.night(
      HandMade.offering(
        HandMade.group("apple", users: 500, HandMade.proportion(20, of: 500)),
        HandMade.group("pear", users: 500, HandMade.proportion(90, of: 500))), metrics: [HandMade.conversion])
    #expect(night.comparisons.isEmpty)
    #expect(night.verdicts[0].sentence == "Nobody of the baseline is measured yet: nothing to compare.")
  }
}
