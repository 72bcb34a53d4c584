import Statistics
import Testing

@Suite("Power")
struct PowerTests {
  @Test("power is statsmodels' and the quadrature's")
  func power() throws {
    for oracle in try OracleCase.all("power") where oracle.function.hasPrefix("power.") {
      let k = oracle.numbers
      let isMean = oracle.function == "power.mean"
      let baseline: Power.Baseline = isMean ? .mean(k[0], standardDeviation: k[1]) : .proportion(k[0])
      let rest = Array(k.suffix(4))
      let plan = Power(alpha: rest[3], ratio: rest[2])
      let actual = plan.power(baseline: baseline, lift: rest[0], users: rest[1])
      expectEqual(actual, oracle.value.double, within: 1e-10, "\(oracle)")
    }
  }

  @Test("sample sizes are the least that reach the power")
  func users() throws {
    for oracle in try OracleCase.all("power") where oracle.function.hasPrefix("users.") {
      let k = oracle.numbers
      let isMean = oracle.function == "users.mean"
      let baseline: Power.Baseline = isMean ? .mean(k[0], standardDeviation: k[1]) : .proportion(k[0])
      let (lift, power) = (k[k.count - 2], k[k.count - 1])
      let users = Power(power: power).users(baseline: baseline, lift: lift)
      #expect(users.map(Double.init) == oracle.value.double, "\(oracle)")
    }
  }

  @Test("detectable lift, power and sample size are inverse to each other")
  func inverse() throws {
    for plan in [Power(), Power(alpha: 0.01, power: 0.9, ratio: 2), Power(test: EveryLook())] {
      for baseline in [Power.Baseline.proportion(0.03), .mean(7, standardDeviation: 40)] {
        let lift = try #require(plan.detectableLift(baseline: baseline, users: 40_000))
        expectEqual(plan.power(baseline: baseline, lift: lift, users: 40_000), plan.power, within: 1e-12)
        let users = try #require(plan.users(baseline: baseline, lift: lift))
        #expect(abs(users - 40_000) <= 1)
      }
    }
  }

  @Test("the sequential decision costs users, never fewer than the fixed one")
  func sequentialCosts() throws {
    let fixed = try #require(Power().users(baseline: .proportion(0.05), lift: 0.1))
    let plan = Power(test: EveryLook())
    let sequential = try #require(plan.users(baseline: .proportion(0.05), lift: 0.1))
    #expect(sequential > fixed)
  }

  @Test("any of many looks finds a lift as often as a fine grid says")
  func anyLook() throws {
    for oracle in try OracleCase.all("power_plans") where oracle.function == "any_look" {
      let known = oracle.arguments["baseline"].numbers
      let baseline: Power.Baseline =
        known.count == 1 ? .proportion(known[0]) : .mean(known[0], standardDeviation: known[1])
      let power = Power(test: EveryLook()).powerAtAnyLook(
        baseline: baseline, lift: oracle.arguments["lift"].double ?? 0,
        users: oracle.arguments["users"].double ?? 0, looks: Int(oracle.arguments["looks"].double ?? 0))
      expectEqual(power, oracle.value.double, within: 1e-9, absolute: 1e-11, "\(oracle)")
    }
  }

  @Test("looks that come before the last one find more, and a single look has no others")
  func moreLooks() throws {
    let plan = Power(test: EveryLook())
    func power(_ looks: Int) -> Double? {
      plan.powerAtAnyLook(baseline: .proportion(0.03), lift: 0.1, users: 125_794, looks: looks)
    }
    let last = try #require(plan.power(baseline: .proportion(0.03), lift: 0.1, users: 125_794))
    expectEqual(power(1), last, within: 1e-12)
    #expect(try #require(power(365)) > (try #require(power(28))))
    #expect(try #require(power(28)) > last)
    #expect(Power().powerAtAnyLook(baseline: .proportion(0.03), lift: 0.1, users: 1000, looks: 5) == nil)
    #expect(plan.powerAtAnyLook(baseline: .proportion(0.03), lift: 0.1, users: 1000, looks: 0) == nil)
  }

  @Test("what is impossible is not computed")
  func impossible() {
    #expect(Power().users(baseline: .proportion(0.03), lift: 0) == nil)
    #expect(Power().users(baseline: .proportion(0.6), lift: 0.9) == nil)
    #expect(Power().power(baseline: .proportion(0), lift: 0.1, users: 100) == nil)
    #expect(Power().power(baseline: .proportion(0.1), lift: 0.1, users: 1) == nil)
    #expect(Power().detectableLift(baseline: .proportion(0.9), users: 10) == nil)
    #expect(Power().detectableLift(baseline: .mean(0, standardDeviation: 1), users: 100) == nil)
  }
}
