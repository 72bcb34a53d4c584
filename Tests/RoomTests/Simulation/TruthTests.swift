import Testing

@testable import Simulation

@Suite("Truth of a simulation")
struct TruthTests {
  @Test("is the product of the rates")
  func byHand() throws {
    let scenario = try Scenario(yaml: ScenarioTests.small, file: "small.yml")
    let truth = Truth(scenario: scenario, group: scenario.groups[0])
    #expect(truth.exposure.sixDecimals == "0.500000")
    #expect(truth.initialConversion.sixDecimals == "0.150000")
    #expect(truth.payingConversion(days: 7).sixDecimals == "0.150000")
    // Weekly: 0.1 buy; of a charge's buyers 0.9 keep it and half of those renew: 1 + 0.45 within 14 days.
    #expect(truth.gross(days: 7) == 1_000_000 + 125_000)
    #expect(truth.gross(days: 14) == 1_450_000 + 125_000)
    #expect(truth.net(days: 14) == 1_305_000 + 112_500)
  }

  @Test("lies within four standard errors of what happens to many users")
  func happens() throws {
    let yaml = ScenarioTests.small.replacing("users: 1000", with: "users: 60000")
    let scenario = try Scenario(yaml: yaml, file: "small.yml")
    let crowd = try Crowd(of: scenario)
    for (group, counts) in zip(scenario.groups, crowd.happened.groups) {
      let truth = Truth(scenario: scenario, group: group)
      let share = Double(truth.payingConversion(days: 7).partsPerBillion) / 1e9
      let users = Double(counts.mature7)
      let error = (share * (1 - share) / users).squareRoot()
      #expect(abs(Double(counts.paying7) / users - share) < 4 * error)
      let spread = 15e6 / Double(counts.mature30).squareRoot()
      #expect(abs(Double(counts.net30) / Double(counts.mature30) - Double(truth.net(days: 30))) < 4 * spread)
    }
  }

  @Test("counts every row it writes, under one reason or none")
  func counts() throws {
    let yaml =
      ScenarioTests.small + "dirt: {duplicate: 0.1, malformed: 0.05, sandbox: 0.1, two_groups: 0.02}\n"
    let crowd = try Crowd(of: Scenario(yaml: yaml, file: "small.yml"))
    let happened = crowd.happened
    #expect(happened.rows == crowd.shards.reduce(0) { $0 + $1.count })
    #expect(happened.assignmentRows == crowd.assignments.count)
    #expect(happened.setAside[.malformed] == happened.dirt[.malformed])
    #expect(happened.setAside[.sandbox] == happened.dirt[.sandbox])
    #expect(happened.twoGroupUsers == happened.assignmentDirt[.twoGroups])
    #expect(happened.groups.reduce(0) { $0 + $1.users } + happened.twoGroupUsers == 1000)
  }
}
