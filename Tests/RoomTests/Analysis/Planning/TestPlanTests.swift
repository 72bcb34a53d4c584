import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Measurement

/// Users, nights and detectable lifts.
@Suite("A test's plan")
struct TestPlanTests {
  private static let conversion = TestPlan(baseline: .proportion(0.03), lift: 0.1)

  @Test("users are statsmodels' for a test read once, and scipy's for one read every night")
  func users() throws {
    for oracle in try PlanOracle.all("users") {
      var plan = TestPlan(baseline: oracle.baseline, lift: oracle.arguments.lift)
      plan.rules.alpha = try #require(oracle.arguments.alpha)
      plan.rules.power = try #require(oracle.arguments.power)
      let fixed = try #require(plan.outcome(Fixed()).baselineUsers)
      let nightly = try #require(plan.outcome(Sequential()).baselineUsers)
      // Shares: t with n in the thousands against statsmodels' normal.
      let expected = try #require(oracle.value.fixed).rounded(.up)
      #expect(abs(Double(fixed) - expected) <= (oracle.arguments.kind == "mean" ? 0 : 2), "\(oracle)")
      #expect(Double(nightly) == oracle.value.sequential?.rounded(.up), "\(oracle)")
    }
  }

  @Test("the detectable lift is statsmodels', noncentral t where groups are small")
  func detectable() throws {
    for oracle in try PlanOracle.all("detectable") {
      var plan = TestPlan(baseline: oracle.baseline)
      plan.crowd.baselineUsers = oracle.arguments.users
      plan.crowd.ratio = try #require(oracle.arguments.ratio)
      let lift = try #require(plan.outcome(Fixed()).detectableLift)
      let expected = try #require(oracle.value.lift)
      // Its normal power of shares, and its pooled degrees of freedom, are this far from Welch's.
      let tolerance = oracle.arguments.kind == "mean" && oracle.arguments.ratio == 1 ? 1e-8 : 5e-5
      #expect(abs(lift / expected - 1) < tolerance, "\(oracle): \(lift)")
    }
  }

  @Test("nights are the missing users over the users a day, rounded up")
  func nights() throws {
    var plan = Self.conversion
    plan.rules.rule = Fixed()
    plan.crowd.usersPerDay = 4000
    #expect(plan.outcome(Fixed()).allUsers == 106_418)
    #expect(plan.outcome(Fixed()).wait == .nights(27))
    plan.crowd.baselineUsers = 50_000
    #expect(plan.outcome(Fixed()).wait == .nights(2))
    plan.crowd.daysUntilFirst = 7
    #expect(plan.outcome(Fixed()).wait == .nights(9))
    plan.crowd.baselineUsers = 53_209
    #expect(plan.outcome(Fixed()).wait == .nights(0))
  }

  @Test("without a rate there are no nights, and no end of enrolment is outlived")
  func arrivals() {
    var plan = Self.conversion
    #expect(plan.outcome(Fixed()).wait == nil)
    plan.crowd.usersToCome = 100_000
    #expect(plan.outcome(Fixed()).wait == .enrolmentEndsBefore)
    plan.crowd.usersToCome = 110_000
    plan.crowd.usersPerDay = 10_000
    #expect(plan.outcome(Fixed()).wait == .nights(11))
  }

  @Test("more groups need more users, and comparisons that share α need more again")
  func groups() throws {
    var plan = Self.conversion
    plan.crowd.usersPerBaselineUser = 3
    #expect(plan.outcome(Fixed()).allUsers == 3 * 53_209)
    plan.rules.comparisons = 2
    let shared = try #require(plan.outcome(Fixed()).baselineUsers)
    #expect(Power(alpha: 0.025).users(baseline: .proportion(0.03), lift: 0.1) == shared)
    #expect(shared > 53_209)
  }

  @Test("the way the test is decided comes first")
  func order() {
    var plan = Self.conversion
    #expect(plan.outcomes.map(\.rule.name) == ["sequential", "fixed", "planned"])
    plan.rules.rule = Fixed()
    #expect(plan.outcomes.map(\.rule.name) == ["fixed", "sequential", "planned"])
  }
}

/// One case of `Tests/Oracles/power_plans.json`.
private struct PlanOracle: Decodable {
  let function: String
  let arguments: Arguments
  let value: Value

  struct Arguments: Decodable {
    let kind: String
    let baseline: [Double]
    let lift, alpha, power, users, ratio: Double?
  }

  struct Value: Decodable {
    var fixed: Double?
    var sequential: Double?
    var lift: Double?

    private enum Key: String, CodingKey { case fixed, sequential }

    init(from decoder: any Decoder) throws {
      lift = try? decoder.singleValueContainer().decode(Double.self)
      guard let container = try? decoder.container(keyedBy: Key.self) else { return }
      fixed = try container.decode(Double.self, forKey: .fixed)
      sequential = try container.decode(Double.self, forKey: .sequential)
    }
  }

  var baseline: Power.Baseline {
    arguments.kind == "mean"
      ? .mean(arguments.baseline[0], standardDeviation: arguments.baseline[1]) : .proportion(arguments.baseline[0])
  }

  static func all(_ function: String) throws -> [PlanOracle] {
    let data = try Data(contentsOf: repository.appending(path: "Tests/Oracles/power_plans.json"))
    return try JSONDecoder().decode([PlanOracle].self, from: data).filter { $0.function == function }
  }
}
