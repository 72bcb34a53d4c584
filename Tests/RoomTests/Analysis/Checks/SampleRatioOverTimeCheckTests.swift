import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// `sample_ratio_over_time`, and weights with dates in the other sample-ratio checks.
struct SampleRatioOverTimeCheckTests {
  /// Groups whose users join so many a day from 2026-03-01 on.
  private func offering(_ days: [Identifier: [Int]]) -> OfferingMeasurement {
    var offering = OfferingMeasurement(id: "spring", groups: [])
    offering.groups = days.sorted { $0.key < $1.key }.map { id, users in
      var group = HandMade.group(id, users: users.reduce(0, +))
      group.tables.arrivals = users.enumerated().filter { $0.element > 0 }.map {
        ArrivalDay(day: 20_513 + Int64($0.offset), users: $0.element)
      }
      return group
    }
    return offering
  }

  private func checks(_ offering: OfferingMeasurement, _ change: (inout Job) -> Void = { _ in }) -> [Check] {
    let checked = HandMade.checked(offering, job: HandMade.job(change))
    return SampleRatioOverTimeCheck().checks(of: checked) + SampleRatioCheck().checks(of: checked)
  }

  private func check(
    _ name: String, _ offering: OfferingMeasurement, subject: String = "", _ change: (inout Job) -> Void = { _ in }
  ) throws -> Check {
    try #require(checks(offering, change).first { $0.name == name && $0.subject == subject })
  }

  @Test("A ramp fails, by the shares before it and since, with what to write")
  func ramp() throws {
    let ramp = offering([
      "control": Array(repeating: 99, count: 7) + Array(repeating: 50, count: 7),
      "b": Array(repeating: 1, count: 7) + Array(repeating: 50, count: 7),
    ])
    let check = try check("sample_ratio_over_time", ramp)
    #expect(check.status == .fail)
    #expect(check.observed == 0.5 && check.expected == 0.01)
    #expect(
      check.message == """
        1 % of those who joined before 2026-03-08 are in b, 50 % of those since; p < 0.0001. So the groups' users joined \
        at different times, and no figure over all of them compares like with like. If the weights were changed, give \
        them with their dates, weights: [{from: …}, {from: 2026-03-08, …}]; else give the metrics stratify: day, or keep to a time of equal shares, enrolment: {from: 2026-03-08}.
        """)
  }

  @Test("Equal totals of 2:1 and 1:2 fail, and a group that joined late")
  func otherChanges() throws {
    let turned = offering(["control": [200, 200, 100, 100], "b": [100, 100, 200, 200]])
    #expect(try check("sample_ratio_over_time", turned).status == .fail)
    #expect(try check("sample_ratio_sequential", turned).status == .pass)
    let late = offering([
      "control": Array(repeating: 20, count: 35),
      "late": Array(repeating: 0, count: 28) + Array(repeating: 20, count: 7),
    ])
    let words = "0 % of those who joined before 2026-03-29 are in late, 50 % of those since; p < 0.0001."
    #expect(try check("sample_ratio_over_time", late).message.hasPrefix(words))
  }

  @Test("Shares that never change pass, whatever the weights say")
  func constant() throws {
    let uneven = offering(["control": Array(repeating: 200, count: 14), "b": Array(repeating: 100, count: 14)])
    #expect(try check("sample_ratio_over_time", uneven).status == .pass)
    #expect(try check("sample_ratio_sequential", uneven).status == .fail)
    #expect(checks(offering(["control": [9, 9]])).isEmpty)
    #expect(!checks(offering(["control": [9], "b": [8]])).contains { $0.name == "sample_ratio_over_time" })
  }

  @Test("Where the metrics that decide are compared day by day, it and the others warn")
  func dayByDay() throws {
    let ramp = offering(["control": [990, 500], "b": [10, 500]])
    var metrics = ["charges", "mrr"].map { MetricRequest(name: $0, id: $0, line: 1) }
    (metrics[0].primary, metrics[0].stratify) = (true, .day)
    let found = checks(ramp) { $0.metrics = metrics }
    #expect(found.allSatisfy { $0.status == .warn }, "\(found)")
    #expect(try check("sample_ratio_sequential", ramp) { $0.metrics = metrics }.message.contains("with their dates"))
    metrics[1].guardrail = true
    #expect(try check("sample_ratio_over_time", ramp) { $0.metrics = metrics }.status == .fail)
  }

  private func dated(_ control: [Int], _ b: [Int]) -> OfferingMeasurement {
    var offering = offering(["control": [control.reduce(0, +)], "b": [b.reduce(0, +)]])
    offering.weightPhases = [
      WeightPhase(from: Instant(milliseconds: 0), name: "2026-03-01", weights: ["control": 99, "b": 1]),
      WeightPhase(from: Instant(milliseconds: 1), name: "2026-03-08", weights: ["control": 1, "b": 1]),
    ]
    for (position, users) in [b, control].enumerated() { offering.groups[position].assignedPhases = users }
    return offering
  }

  @Test("Each phase is held against its own weights")
  func phases() throws {
    let right = dated([0, 9_900, 5_020], [0, 100, 4_980])
    for name in ["sample_ratio", "sample_ratio_sequential", "sample_ratio_over_time"] {
      #expect(try check(name, right).status == .pass, "\(name)")
    }
    // χ² of both phases, with a degree of freedom each: SciPy's chi2.sf(0 + 0.16, 2).
    #expect(abs(try #require(try check("sample_ratio", right).pValue) - 0.9231163463866358) < 1e-12)
    let wrong = dated([0, 9_900, 5_500], [0, 100, 4_500])
    for name in ["sample_ratio", "sample_ratio_sequential", "sample_ratio_over_time"] {
      let check = try check(name, wrong)
      #expect(check.status == .fail, "\(name)")
      let words = "4,500 users in b and 5,500 in control of those assigned from 2026-03-08 on, where 1:1 was planned; "
      #expect(check.message.hasPrefix(words))
    }
  }

  @Test("Users before the first weights are told of, and those of a group that had none yet")
  func gaps() throws {
    let early = try check("sample_ratio", dated([7, 9_900, 5_000], [0, 100, 5_000]), subject: "before 2026-03-01")
    #expect(early.status == .warn && early.observed == 7)
    var late = dated([0, 5_000, 5_000], [0, 3, 5_000])
    late.weightPhases[0].weights = ["control": 1]
    let stray = try check("sample_ratio", late, subject: "group b")
    #expect(stray.status == .fail)
    #expect(stray.message.hasPrefix("3 users are in b, which had no weight when they were assigned"))
    let fit = try check("sample_ratio_sequential", late)
    #expect(fit.status == .pass && fit.observed == 5_000 && fit.expected == 5_000)
  }

  @Test("Segments are held against the weights of their users' phases")
  func segments() throws {
    var offering = dated([0, 9_900, 5_000], [0, 100, 5_000])
    for (position, phases) in [[0, 50, 1_000], [0, 4_950, 1_000]].enumerated() {
      var segment = SegmentMeasurement(id: "device=phone", users: phases.reduce(0, +), metrics: [])
      segment.phases = phases
      offering.groups[position].segments.append(segment)
    }
    #expect(try check("sample_ratio_sequential", offering, subject: "segment device=phone").status == .pass)
    offering.groups[0].segments[1].phases = [0, 50, 1_500]
    #expect(try check("sample_ratio_sequential", offering, subject: "segment device=phone").status == .fail)
  }
}
