import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("How precise a test is against what it set out to find")
struct PrecisionFigureTests {
  private func page(_ plans: String) throws -> String {
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"2026-04-01T00:00:00Z","currency":"USD","confidence":0.95,
      "decideBy":"sequential","questions":[],"units":[{"metric":"pay","unit":"share","label":"Payers","more":"","less":""}],
      "verdicts":[{"offeringId":"o","decision":"inconclusive","sentence":"s"}]}
      """
    let plans =
      "offering_id,metric,lift,users_now,users_needed,nights_more,enrolment_ends_before,detectable_lift,plan,users_per_day\n"
      + plans + "\n"
    return try Report.html(
      of: NightStory(
        head: head,
        tables: [
          "plans": plans, "group_metrics": "offering_id,test_group_id,is_baseline,segment,metric\no,a,true,all,pay\n",
        ])
    ).replacing("\u{a0}%", with: " %")
  }

  @Test("A test that sees 40 % and set out for 10 % is a quarter as precise as it was meant to be")
  func quarter() throws {
    let html = try page("o,pay,0.1,1000,16000,30,false,0.4,28 nights,500")
    #expect(
      html.contains(
        "Payers: with today&#39;s users it reliably sees 40 % or more; 10 % takes 16,000 users."))
    // A quarter of the way to the mark, which stands at 98.
    #expect(html.contains("width=\"24.5%\""))
    #expect(html.contains("<bdi>+10 %</bdi>") && html.contains("<bdi>16,000</bdi>"))
  }

  @Test("One that sees what it set out for has its bar full, and less may be what it looks for")
  func reached() throws {
    let html = try page("o,pay,-0.1,9000,8000,0,false,0.08,28 nights,500")
    #expect(html.contains("Payers: with today&#39;s users it reliably sees 8 % or more."))
    #expect(html.contains("width=\"98%\"") && html.contains("reached"))
  }

  @Test("Where nothing can be planned there is no bar")
  func nothing() throws {
    for plan in ["o,pay,,,,,false,,28 nights,500", "o,pay,0.1,1000,16000,30,false,0.4,,500"] {
      #expect(try !page(plan).contains("<h3>How precise the test is</h3>"))
    }
  }
}
