import Testing

@testable import Analysis
@testable import Measurement
@testable import Publishing

@Suite("The line of health")
struct HealthTests {
  private func health(_ checks: [String]) throws -> Health {
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.95,"decideBy":"fixed","questions":[],
      "verdicts":[]}
      """
    let rows = checks.map { "o,\($0),m,\n" }.joined()
    return try NightStory(head: head, tables: ["checks": "offering_id,check,status,message,subject\n" + rows]).health
  }

  @Test("What fails is counted apart from what is to be looked at, and that from what is only to know")
  func lines() throws {
    #expect(try health([]).line == "No checks were made.")
    #expect(try health(["rejects,pass", "freshness,pass"]).line == "All 2 checks passed.")
    #expect(
      try health(["small_counts,warn", "small_counts,warn", "rejects,pass"]).line == "No check failed, 1 to know.")
    #expect(
      try health(["sample_ratio,fail", "freshness,warn", "maturity,warn", "rejects,pass"]).line
        == "1 of 4 checks failed, 1 to look at, 1 to know.")
  }

  @Test("Remarks are what lies in the test's design or the data's shape")
  func remarks() throws {
    #expect(
      CheckCatalog.remarks == [
        "cuped", "maturity", "not_computable", "planned_end", "small_counts", "undecided_primary",
      ])
    let named = try health(["small_counts,warn", "rejects,warn", "maturity,pass", "user_ids,fail"]).byName
    #expect(named.map(\.weight) == [.fail, .warn, .remark, .pass])
  }
}
