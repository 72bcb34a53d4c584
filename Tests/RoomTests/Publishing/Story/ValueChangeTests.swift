import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("Why a value is not what it was on the night before")
struct ValueChangeTests {
  private func changes(_ rows: [String]) throws -> [ValueChange] {
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.95,"decideBy":"fixed","questions":[],
      "units":[{"metric":"net","unit":"money"},{"metric":"paid","unit":"share"}],
      "verdicts":[{"offeringId":"o","decision":"better","sentence":""}]}
      """
    let header =
      "previous_night,offering_id,test_group_id,metric,part,users_change,numerator_change,denominator_change,"
      + "value_change,previous_value,value\n"
    let csv = header + rows.map { "2026-03-30,o,\($0)\n" }.joined()
    let values = "offering_id,test_group_id,segment,metric\n" + ["net", "paid"].map { "o,a,all,\($0)\n" }.joined()
    let story = try NightStory(head: head, tables: ["changes": csv, "group_metrics": values])
    return try #require(story.offerings.first).changes
  }

  @Test("It can be said aloud, parts that changed nothing left out")
  func sentence() throws {
    let reported = try changes([
      "a,net,late_rows,0,0.000000,0,0.000000,3.100000,3.240000",
      "a,net,windows_ended,5,30.000000,5,0.200000,3.100000,3.240000",
      "a,net,refunds,0,-3.000000,0,-0.060000,3.100000,3.240000",
      "a,paid,new_users,3,1,3,-0.001230,0.040000,0.038770",
    ])
    #expect(
      reported.map(\.clause) == [
        "a went from 3.10 USD to 3.24 USD, most of it by windows that ended (+0.20 USD)",
        "a went from 4.00 % to 3.88 %, all of it by new users (−0.12 %-points)",
      ])
    #expect(reported[0].parts.map(\.part) == [.windowsEnded, .refunds])
    #expect(reported[0].parts.map(\.users) == [5, 0])
  }

  @Test("A value that stayed, a first one, and none")
  func others() throws {
    let reported = try changes([
      "a,net,refunds,0,0.000000,0,0.000000,3.100000,3.100000", "b,net,windows_ended,1,3.000000,1,,,3.000000",
      "c,net,multiple_groups,-1,0.000000,-1,,3.000000,",
    ])
    #expect(
      reported.map(\.clause) == [
        "a stayed at 3.10 USD", "b is 3.00 USD and had no value before", "c has no value yet",
      ])
    #expect(reported[1].parts.map(\.change) == [nil])
    #expect(try changes([]).isEmpty)
  }

  @Test("Its figure draws each part that moved the value, and has the rest in the fold")
  func figure() throws {
    let figures = ValueChange.figures(
      of: try changes([
        "a,net,windows_ended,5,30.000000,5,0.200000,3.100000,3.240000",
        "a,net,refunds,0,-3.000000,0,-0.060000,3.100000,3.240000",
        "a,net,new_users,2,0.000000,2,0.000000,3.100000,3.240000",
        "b,net,windows_ended,1,3.000000,1,0.100000,3.000000,3.100000",
      ]))
    #expect(figures.map(\.title) == ["net"])
    #expect(figures[0].lead.contains("(+0.20 USD); b went from 3.00 USD to 3.10 USD"))
    let html = String(describing: figures[0].context)
    for text in ["+0.20 USD", "−0.06 USD", "+0.10 USD", "-0.06 USD", "new users"] {
      #expect(html.contains(text), "\(text)")
    }
  }
}
