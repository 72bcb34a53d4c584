import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// `sample_ratio` and `sample_ratio_sequential`.
struct SampleRatioCheckTests {
  private func offering(
    _ users: [Identifier: Int], weights: [Identifier: Double]? = nil
  ) -> OfferingMeasurement {
    let groups = users.sorted { $0.key < $1.key }.map { HandMade.group($0.key, users: $0.value) }
    return OfferingMeasurement(
      id: "spring", groups: groups, assignedUsers: users.values.reduce(0, +), weights: weights)
  }

  private func checks(
    of offering: OfferingMeasurement, population: Job.Population = .assigned, decideBy: String = "fixed"
  ) -> [Check] {
    let job = HandMade.job { ($0.population, $0.decideBy) = (population, decideBy) }
    return SampleRatioCheck().checks(of: HandMade.checked(offering, job: job))
  }

  private func check(
    _ name: String, of offering: OfferingMeasurement, subject: String = "",
    population: Job.Population = .assigned, decideBy: String = "fixed"
  ) throws -> Check {
    return try #require(
      checks(of: offering, population: population, decideBy: decideBy).first {
        $0.name == name && $0.subject == subject
      })
  }

  @Test("Equal groups pass without weights")
  func equalGroupsPass() throws {
    let check = try check("sample_ratio", of: offering(["control": 5020, "group_a": 4980]))
    #expect(check.status == .pass)
    #expect(abs(try #require(check.pValue) - 0.6891565167793516) < 1e-12)
    #expect(
      check.message == """
        Users fell into the groups as weighted: control 5,020 (expected 5,000) and group_a 4,980 (expected 5,000); \
        p = 0.69.
        """)
  }

  @Test("A lost fifth of a group fails both checks")
  func lostFifthGroup() throws {
    let offering = offering(["control": 5000, "group_a": 4000])
    #expect(try check("sample_ratio", of: offering).status == .fail)
    #expect(try check("sample_ratio_sequential", of: offering).status == .fail)
  }

  @Test("Where data are looked at every night the test for one look only warns")
  func dataLookedEvery() throws {
    let offering = offering(["control": 560, "group_a": 440])
    let once = try check("sample_ratio", of: offering)
    #expect(once.status == .fail)
    let nightly = try check("sample_ratio", of: offering, decideBy: "sequential")
    #expect(nightly.status == .warn)
    #expect(nightly.pValue == once.pValue)
    #expect(nightly.message.contains("sample_ratio_sequential may be read every night"))
  }

  @Test("600 against 400 fails every night")
  func case600against400() throws {
    let check = try check(
      "sample_ratio_sequential", of: offering(["control": 600, "group_a": 400]), decideBy: "sequential")
    #expect(check.status == .fail)
  }

  @Test("Weights are relative and need not add up to one")
  func weightsRelativeNeed() throws {
    let users: [Identifier: Int] = ["control": 8010, "group_a": 1990]
    #expect(
      try check("sample_ratio", of: offering(users, weights: ["control": 80, "group_a": 20])).status == .pass)
    #expect(try check("sample_ratio", of: offering(users)).status == .fail)
  }

  @Test("A weighted group nobody is in counts as zero")
  func weightedGroupNobody() throws {
    let check = try check(
      "sample_ratio",
      of: offering(["control": 5000, "group_a": 5000], weights: ["control": 1, "group_a": 1, "group_b": 1]))
    #expect(check.status == .fail)
    #expect(check.observed == 0)
    #expect(check.message.contains("0 in group_b, where 1:1:1 was planned"))
  }

  @Test("Users in a group without a weight are a failure of their own")
  func usersGroupWithout() throws {
    let offering = offering(
      ["control": 5000, "group_a": 5000, "stray": 7], weights: ["control": 1, "group_a": 1])
    let stray = try check("sample_ratio", of: offering, subject: "group stray")
    #expect(stray.status == .fail)
    #expect(stray.message.hasPrefix("7 users are in stray, which has no weight"))
    #expect(try check("sample_ratio", of: offering).status == .pass)
  }

  @Test("Below five expected users a group it says that it cannot tell")
  func belowFiveExpected() throws {
    let check = try check("sample_ratio", of: offering(["control": 4, "group_a": 5]))
    #expect(check.status == .warn)
    #expect(check.pValue == nil)
    #expect(check.expected == 5)
  }

  @Test("With the exposed population both populations are checked")
  func exposedPopulationBoth() throws {
    var offering = offering(["control": 5000, "group_a": 5000])
    offering.groups[1].measuredUsers = 3000
    #expect(try check("sample_ratio", of: offering, population: .exposed).status == .pass)
    let exposed = try check("sample_ratio", of: offering, subject: "exposed users", population: .exposed)
    #expect(exposed.status == .fail)
    #expect(exposed.message.contains("(exposed users)"))
  }

  @Test("Segments are checked together by Holm, those large enough")
  func segmentsCheckedTogether() throws {
    var offering = offering(["control": 1000, "group_a": 1000])
    func segments(_ de: Int, _ us: Int, _ fr: Int) -> [SegmentMeasurement] {
      [("country=DE", de), ("country=FR", fr), ("country=US", us)].map { name, users in
        SegmentMeasurement(id: Identifier(name), users: users, metrics: [])
      }
    }
    offering.groups[0].segments += segments(500, 500, 4)
    offering.groups[1].segments += segments(400, 500, 4)
    let checks = checks(of: offering)
    let named = checks.filter { $0.name == "sample_ratio" && $0.subject.hasPrefix("segment") }
    #expect(named.map(\.subject) == ["segment country=DE", "segment country=US"])
    #expect(named.map(\.status) == [.pass, .pass])
    let alone = try #require(SampleRatio(counts: [500, 400], weights: [1, 1]))
    #expect(named[0].pValue == alone.pValue * 2)
  }

  @Test("Equal totals that hide 2:1 and 1:2 by segment fail every night, by Holm among segments")
  func equalTotals() throws {
    var offering = offering(["control": 3000, "group_a": 3000])
    for (position, users) in [(2000, 1000), (1000, 2000)].enumerated() {
      offering.groups[position].segments += [
        SegmentMeasurement(id: "device=phone", users: users.0, metrics: []),
        SegmentMeasurement(id: "device=tablet", users: users.1, metrics: []),
      ]
    }
    let found = checks(of: offering, decideBy: "sequential")
    let nightly = found.filter { $0.name == "sample_ratio_sequential" }
    #expect(nightly.map(\.subject) == ["", "segment device=phone", "segment device=tablet"])
    #expect(nightly.map(\.status) == [.pass, .fail, .fail])
    let alone = try #require(SampleRatio(counts: [2000, 1000], weights: [1, 1]))
    let adjusted = alone.sequentialPValue * 2
    #expect(abs(try #require(nightly[1].pValue) - adjusted) < 1e-10 * adjusted)
    #expect(found.filter { $0.name == "sample_ratio" }.map(\.status) == [.pass, .warn, .warn])
  }

  @Test("A single group has no ratio")
  func singleGroupRatio() {
    #expect(checks(of: offering(["control": 500])).isEmpty)
  }
}
