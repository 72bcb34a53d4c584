import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("What a metric answers to a question")
struct MetricAnswerTests {
  /// The answer for groups `a`, `b` and so on against `control`, whose value is 0.04.
  ///
  /// - Parameter rows: of each group its value, its lift, the two ends of its interval, and its decision.
  private func answer(_ rows: [String], baseline: String = "0.04", unit: String = "share") throws -> String {
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.95,"decideBy":"fixed","questions":[],
      "units":[{"metric":"pay","unit":"\(unit)","label":"Payers","more":"","less":""}],
      "verdicts":[{"offeringId":"o","decision":"better","sentence":""}]}
      """
    let groups = rows.enumerated().map {
      (name: ["a", "b", "c"][$0], cells: $1.split(separator: ",", omittingEmptySubsequences: false))
    }
    let values =
      ["o,control,true,all,pay,\(baseline)"] + groups.map { "o,\($0.name),false,all,pay,\($0.cells[0])" }
    let lifts = groups.map { group in
      "o,control,\(group.name),all,pay,\(baseline),\(group.cells.joined(separator: ","))"
    }
    let story = try NightStory(
      head: head,
      tables: [
        "group_metrics": "offering_id,test_group_id,is_baseline,segment,metric,value\n" + values.joined(separator: "\n")
          + "\n",
        "comparisons":
          "offering_id,baseline_group_id,test_group_id,segment,metric,baseline_value,value,rel_lift,decided_ci_low,"
          + "decided_ci_high,decision\n" + lifts.joined(separator: "\n") + "\n",
      ])
    let offering = try #require(story.offerings.first)
    return MetricAnswer(try #require(offering.values.first), lifts: offering.lifts).text
  }

  @Test("What is shown comes first with its size and its range, what is not shown follows")
  func shown() throws {
    #expect(
      try answer(["0.041,0.025,-0.3,0.5,inconclusive", "0.08,1,0.42,1.74,better"])
        == "Payers: b's 8.00 % is 100 % (42 to 174 %) above control's 4.00 %: better. "
        + "a's 4.10 % is not shown to differ from control's.")
    #expect(
      try answer(["0.02,-0.5,-0.7,-0.2,worse"])
        == "Payers: a's 2.00 % is 50 % (20 to 70 %) below control's 4.00 %: worse.")
  }

  @Test("Groups that are not shown to differ share a sentence")
  func open() throws {
    let row = "0.041,0.025,-0.3,0.5,inconclusive"
    #expect(
      try answer([row, row]) == "Payers: neither a's 4.10 % nor b's 4.10 % is shown to differ from control's 4.00 %.")
    #expect(
      try answer([row, row, row])
        == "Payers: none of a's 4.10 %, b's 4.10 % and c's 4.10 % is shown to differ from control's 4.00 %.")
  }

  @Test("What is settled, early or without a value is said so")
  func others() throws {
    #expect(
      try answer(["0.04,0,-0.02,0.02,equivalent", "0.039,-0.02,-0.04,0.01,not_worse", "0.03,-0.2,-0.4,0.1,maybe_worse"])
        == "Payers: a's 4.00 % is equivalent to control's 4.00 %: no difference that matters. b's 3.90 % is shown to be "
        + "not worse than control's. c's 3.00 % may be worse than control's.")
    #expect(
      try answer([",,,,too_early", "0.05,0.2,,,too_early"])
        == "Payers: it is too early to say anything of a. It is too early to hold b's 5.00 % against control's.")
    #expect(
      try answer(["0.05,,,,better"], baseline: "0") == "Payers: a's 5.00 % is above control's 0.00 %: better.")
  }

  @Test("Where a check failed the values stand alone")
  func untrusted() throws {
    #expect(
      try answer(["0.08,1,0.42,1.74,do_not_trust"])
        == "Payers: control 4.00 % and a 8.00 %. Do not trust it: a check failed.")
  }

  @Test("Money may fall by more than all of it where refunds outweigh charges, a share may not")
  func belowNothing() throws {
    let row = "-0.01,-1.25,-1.5,-1.1,worse"
    #expect(
      try answer([row], unit: "money")
        == "Payers: a's −0.0100 USD is 125 % (110 to 150 %) below control's 0.0400 USD: worse.")
    #expect(try answer([row]).contains("100 % (100 to 100 %) below control's 4.00 %"))
  }

  @Test("A share says what it is of, where its value is just that quotient")
  func counted() throws {
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.95,"decideBy":"fixed","questions":[],
      "units":[{"metric":"pay","unit":"share","label":"Payers","more":"","less":""}],
      "verdicts":[{"offeringId":"o","decision":"better","sentence":""}]}
      """
    func text(value: String) throws -> String {
      let story = try NightStory(
        head: head,
        tables: [
          "group_metrics": """
          offering_id,test_group_id,is_baseline,segment,metric,numerator,denominator,value
          o,control,true,all,pay,471,5994,0.07857857857857858
          o,a,false,all,pay,600,6000,0.1

          """,
          "comparisons": """
          offering_id,baseline_group_id,test_group_id,segment,metric,baseline_value,value,rel_lift,decided_ci_low,\
          decided_ci_high,decision
          o,control,a,all,pay,0.07857857857857858,\(value),0.27,0.1,0.4,better

          """,
        ])
      let offering = try #require(story.offerings.first)
      return MetricAnswer(try #require(offering.values.first), lifts: offering.lifts).text
    }
    #expect(
      try text(value: "0.1")
        == "Payers: a's 10.0 % (600 of 6,000) is 27 % (10 to 40 %) above control's 7.9 % (471 of 5,994): better.")
    // An adjusted value is no quotient of the counts, which are not told then.
    #expect(try text(value: "0.098").contains("a's 9.8 % is 27 %"))
  }
}
