import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("The report")
struct ReportTests {
  private let head = """
    {"job":"j","night":"2026-03-31","asOf":"2026-04-01T00:00:00Z","currency":"USD","confidence":0.95,
    "decideBy":"sequential","verdicts":[{"offeringId":"o<1>","decision":"better","sentence":"b & c"}],
    "questions":[{"ask":"Does it \\"pay\\"?","metrics":["pay"],
    "funnels":["f"],"tables":["states"],"checks":["sticky"]}]}
    """

  private func report(_ tables: [String: String]) throws -> String {
    try Report.html(of: NightStory(head: head, tables: tables)).replacing("\u{a0}%", with: " %")
  }

  private let metrics = """
    offering_id,test_group_id,is_baseline,segment,metric,kind,users,immature,numerator,value,ci_low,ci_high
    o<1>,a,false,all,pay,proportion,1000,3,50,0.05,0.04,0.06
    o<1>,control,true,all,pay,proportion,1000,4,40,0.04,0.03,0.05
    o<1>,a,false,all,money,mean,1000,0,5000.000000,5,4,6

    """

  private let comparisons = """
    offering_id,baseline_group_id,test_group_id,segment,metric,primary,baseline_value,value,abs_diff,rel_lift,\
    decided_ci_low,decided_ci_high,p_value_adjusted,chance_to_win,decision,descriptive
    o<1>,control,a,all,pay,true,0.04,0.05,0.01,0.25,0.1,0.4,0.00001,0.999,better,false
    o<1>,control,a,all,asked,false,0.04,0.02,-0.02,-0.5,-1.2,-0.1,0.00001,0.999,worse,true
    o<1>,control,a,all,stayed,false,,,,,,,,,too_early,false

    """

  @Test("A night without tables still makes a page")
  func empty() throws {
    let page = try Page.parsed(try report([:]))
    #expect(page.text.contains("No checks were made."))
    #expect(page.text.contains("b & c"))
  }

  @Test("Figures, questions and checks stand in the page, drawings with their numbers beside them")
  func figures() throws {
    let html = try report([
      "group_metrics": metrics, "comparisons": comparisons,
      "checks": "offering_id,check,status,message,subject\no<1>,sticky,warn,two of <b>,\n,rejects,pass,none,\n",
      "funnels": """
      offering_id,test_group_id,funnel,step,name,users,of_previous,of_first,p_value_vs_baseline
      o<1>,a,f,1,view,100,,1,
      o<1>,a,f,2,buy,10,0.1,0.1,0.03

      """,
      "states": "offering_id,test_group_id,state,users,share\no<1>,a,never,900,0.9\no<1>,a,expired,0,0\n",
      "retention": """
      offering_id,test_group_id,metric,day,at_risk,ended,censored,survival,ci_low,ci_high
      o<1>,a,retention,30,10,2,0,0.8,0.6,0.9

      """,
      "products": """
      offering_id,test_group_id,product_id,kind,buyers,charges,refunded_charges,currency,gross,net,proceeds,first_buyers
      o<1>,a,weekly,auto_renewable,7,9,1,USD,9.990000,8.000000,5.600000,6

      """,
    ])
    let page = try Page.parsed(html)
    for expected in [
      "Does it \"pay\"?", "+25.0 %", "+10.0 to +40.0 %", "−100.0 to −10.0 %", "lower", "nothing yet", "4.00 %",
      "5.00 USD",
      "two of <b>", "Funnel: f", "10.0 %", "900\u{a0}(90.0 %)",
      "9.99 USD", "weekly", "day 0", "No check failed, 1 to look at.",
    ] {
      #expect(page.text.contains(expected), "\(expected)")
    }
    #expect(!page.text.contains("expired"))
    // A drawing has a name for those who hear it.
    #expect(page.elements["svg", default: 0] >= 5)
    #expect(page.attributes.count { $0 == "role=img" } == page.elements["svg"])
    #expect(page.attributes.filter { $0.hasPrefix("aria-label=") }.count >= page.elements["svg", default: 0])
  }

  @Test("Every figure says in a sentence what it shows")
  func sentences() throws {
    let night = try CountedNight.everything()
    let story = try NightStory(of: night)
    let offering = try #require(story.offerings.first)
    let figures = OfferingFigures(offering: offering)
    let all =
      figures.details + figures.nights
      + [
        Lift.figure(of: offering.lifts, values: offering.values, rule: story.rule, confidence: story.confidence),
        Lift.othersFigure(of: offering.lifts, values: offering.values),
      ].compactMap(\.self)
    #expect(all.count > 10)
    for figure in all { #expect(!figure.lead.isEmpty && !figure.title.isEmpty, "\(figure.title)") }
  }

  @Test("Every figure leads to how it is computed, on its own page or on the first of many")
  func methods() throws {
    let html = try Report.html(of: NightStory(of: CountedNight.everything()))
    let page = try Page.parsed(html)
    let links = page.attributes.filter { $0.hasPrefix("href=#how-") }
    #expect(links.count > 10)
    for link in Set(links) { #expect(page.attributes.contains("id=\(link.trimmingPrefix("href=#"))"), "\(link)") }
    for method in Method.allCases { #expect(page.attributes.contains("id=\(method.anchor)")) }
    let story = try NightStory(of: CountedNight.everything())
    let section = OfferingSection(story: story, offering: try #require(story.offerings.first), number: 0)
    let other = try PageTemplate.offeringPage.render([
      "section": section.details, "methodsPage": OfferingPaths.firstPage,
    ])
    #expect(other.contains("href=\"\(OfferingPaths.firstPage)#how-lift\""))
    #expect(!other.contains("href=\"#how-"))
  }

  @Test("Where a check failed the page says so first, and no group is called")
  func untrusted() throws {
    var night = try PublishedNight.night()
    night.checks.append(Check(offering: "spring", name: "sample_ratio", status: .fail, message: "Users are missing."))
    night.verdicts[0].decision = .doNotTrust
    night.verdicts[0].obstacle = "Users are missing."
    let html = try Report.html(of: NightStory(of: night))
    let alert = try #require(html.firstRange(of: "<strong>Do not act on this.</strong> Users are missing."))
    let failed = try #require(html.firstRange(of: "<strong>sample ratio failed</strong>"))
    #expect(alert.lowerBound < failed.lowerBound)
    #expect(!html.contains("Ship group_a"))
  }

  @Test("Four hundred nights of fifty metrics stay below a megabyte")
  func size() throws {
    var night = try PublishedNight.night()
    let first = night.comparisons
    night.comparisons = (0..<50).flatMap { number in
      first.map { row in
        var row = row
        row.key.metric = Identifier("metric_\(number)_30d")
        row.primary = true
        return row
      }
    }
    night.daily = DailyComparisons(
      (0..<400).flatMap { day in
        night.comparisons.map { DailyComparisonRow(asOf: PublishedNight.cutoff(days: Int64(day)), comparison: $0) }
      })
    #expect(try Report.html(of: NightStory(of: night)).utf8.count < 1_000_000)
  }

  @Test("Balances, trial days and users outside the test have their figures, each with what must be said of it")
  func owners() throws {
    let html = try report([
      "group_metrics": """
      offering_id,test_group_id,is_baseline,segment,metric,kind,users,immature,numerator,value,ci_low,ci_high,zero_users
      o<1>,a,false,all,left,mean,965,0,19926,20.6,18.1,23.2,155

      """,
      "trial_days": """
      offering_id,test_group_id,day,trials,paid,share
      o<1>,a,29,1192,92,0.0771812
      o<1>,a,2,1194,6,0.0050251

      """,
      "outside": """
      place,offering_id,group_id,users,payers,conversion,charges,currency,gross,net,proceeds,net_per_user
      group,o<1>,a,7952,244,0.0306841,430,USD,5314.700000,5174.860000,4398.631000,0.6507620
      group,other,b,77,1,0.5,1,USD,1.000000,1.000000,1.000000,1
      outside,,<VAR1>,345,16,0.0463768,32,USD,363.680000,347.700000,295.545000,1.0078260

      """,
      "funnels": "offering_id,test_group_id,funnel,step,name,users\no<1>,a,f,1,view,300\n",
      "funnel_splits": """
      offering_id,test_group_id,funnel,split_by,happened,step,name,users,of_first
      o<1>,a,f,nudge,yes,1,view,256,1

      """,
    ])
    let cells = try Page.parsed(html).cells.map { $0.map { $0.trimmingCharacters(in: .whitespaces) } }
    for row in [
      ["left", "a", "20.6", "18.1 to 23.2", "965", "0", "155 (16.1 %)"],
      ["2", "a", "6", "1,194", "0.50 %"], ["29", "a", "92", "1,192", "7.72 %"],
      ["a", "group", "7,952", "244", "3.07 %", "430", "5,314.70 USD", "5,174.86 USD", "4,398.63 USD", "0.6508 USD"],
      ["<VAR1>", "outside", "345", "16", "4.64 %", "32", "363.68 USD", "347.70 USD", "295.55 USD", "1.01 USD"],
    ] {
      #expect(cells.contains(row), "\(row)")
    }
    #expect(!cells.joined().contains("77"))
    let days = try ["2", "29"].map { day in try #require(cells.firstIndex { $0.first == day }) }
    #expect(days[0] < days[1])
    let text = try Page.parsed(html).text
    #expect(text.contains("Of each day only trials that began so long ago that the day is over."))
    // Of the split and of the users outside.
    #expect(text.components(separatedBy: "Nobody drew lots for this").count >= 3)
    #expect(text.contains("Who took the second step before nudge came is among those without it."))
  }

  @Test("Names from the data are text, whatever they hold, and nothing is fetched from anywhere")
  func hostile() throws {
    let name = "<script>alert(1)</script>\"' onload=x {{job}} \u{1}\u{1F600}é"
    let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    let html = try report([
      "group_metrics": metrics.replacingOccurrences(of: ",a,", with: ",\(quoted),"),
      "comparisons": comparisons.replacingOccurrences(of: ",a,", with: ",\(quoted),"),
    ]).replacingOccurrences(of: "\u{1}", with: "")
    let page = try Page.parsed(html)
    #expect(page.elements["script"] == nil)
    #expect(page.text.contains("<script>alert(1)</script>\"' onload=x {{job}} "))
    #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("url("))
    #expect(!page.attributes.contains { $0.hasPrefix("src=") || $0.hasPrefix("onload=") })
  }

  @Test("Numbers are set to the right, and names are not, whatever they begin with")
  func alignment() throws {
    let html = try report([
      "group_metrics": metrics.replacingOccurrences(of: ",a,", with: ",3day,"),
      "comparisons": comparisons.replacingOccurrences(of: ",a,", with: ",3day,"),
      "checks": "offering_id,check,status,message,subject\no<1>,sticky,warn,53 of 60 rows,\n",
    ])
    #expect(html.contains("class=\"number\"><bdi>4.00 %</bdi>") && html.contains("<bdi>nothing yet</bdi></td>"))
    #expect(!html.contains("class=\"number\"><bdi>3day"))
  }

  @Test("What was bought by store and paywall stands beside the sentence that it is no comparison")
  func charges() throws {
    let page = try Report.html(of: NightStory(of: CountedNight.night(sales: CountedNight.sales)))
    #expect(page.contains("Charges by paywall") && page.contains("Charges by store"))
    #expect(page.contains(ChargesByAttribute.note))
    #expect(!(try Report.html(of: NightStory(of: CountedNight.night(sales: [])))).contains(ChargesByAttribute.note))
  }

  @Test("A percent sign keeps to its number")
  func percent() throws {
    let tables = ["group_metrics": metrics, "comparisons": comparisons]
    let html = try Report.html(of: NightStory(head: head, tables: tables))
    #expect(html.contains("5.00\u{a0}%") && !html.contains("5.00 %"))
  }

  @Test("A mark with an accent over it is escaped like the mark alone, so that no name ends an attribute")
  func accentedMarks() throws {
    let name = "x\"\u{301} onload=alert(1) y<\u{301}b"
    let quoted = "\"x\"\"\u{301} onload=alert(1) y<\u{301}b\""
    let html = try report(["group_metrics": metrics.replacingOccurrences(of: ",a,", with: ",\(quoted),")])
    let page = try Page.parsed(html)
    #expect(page.text.contains(name))
    #expect(!page.attributes.contains { $0.hasPrefix("onload=") })
  }

  @Test("Notes and who is counted stand on the page as text, and links lead to the index and the workbook")
  func notes() throws {
    let with = head.replacingOccurrences(
      of: "\"questions\"",
      with: """
        "notes":"Prices <rose>.\\n\\nAsk Ann.","enrolment":{"population":"assigned","from":"2026-03-01T00:00:00Z",\
        "to":"2026-04-01T06:30:00Z","newCustomersOnly":true,"multipleGroups":"exclude"},"questions"
        """)
    let html = try Report.html(of: NightStory(head: with, tables: [:]))
    let paragraphs = ["Prices &lt;rose&gt;.", "Ask Ann."].map { "<p class=\"notes\" dir=\"auto\">\($0)</p>" }
    #expect(html.contains(paragraphs.joined()))
    #expect(
      try Page.parsed(html).text.contains(
        "Counted: everybody assigned from 1 March 2026 to before 1 April 2026, 06:30, UTC; users of several groups are "
          + "left out; so are users who had paid before."))
    #expect(html.contains("href=\"../../index.html\"") && html.contains("href=\"results.xlsx\""))
    #expect(try !report([:]).contains("class=\"notes\""))
  }

  /// The page of so many groups beside control; the later in name the higher in the first metric.
  private func page(groups: Int) throws -> (html: String, page: Page) {
    let names = (1...groups).map { "g\($0 < 10 ? "0" : "")\($0)" }
    let calls = names.map {
      "{\"groupId\":\"\($0)\",\"decision\":\"inconclusive\",\"call\":\"Keep control over \($0) for now.\",\"reason\":\"r\"}"
    }
    let head = """
      {"job":"j","night":"2026-03-31","asOf":"2026-04-01T00:00:00Z","currency":"USD","confidence":0.95,
      "decideBy":"sequential","questions":[],"units":[{"metric":"pay","unit":"share","label":"Payers","more":"","less":""}],
      "verdicts":[{"offeringId":"o","decision":"inconclusive","sentence":"","lead":"pay",
      "groups":[\(calls.joined(separator: ","))]}]}
      """
    let lifts = names.enumerated().map { position, name in
      "o,control,\(name),all,pay,true,increase,0.1,0.1,\(Double(position + 1) / 100),-0.1,0.9,inconclusive\n"
    }
    let values = names.map { "o,\($0),false,all,pay,0.1\n" }
    let html = try Report.html(
      of: NightStory(
        head: head,
        tables: [
          "group_metrics": "offering_id,test_group_id,is_baseline,segment,metric,value\no,control,true,all,pay,0.1\n"
            + values.joined(),
          "comparisons": "offering_id,baseline_group_id,test_group_id,segment,metric,primary,goal,baseline_value,value,"
            + "rel_lift,decided_ci_low,decided_ci_high,decision\n" + lifts.joined(),
        ])
    ).replacing("\u{a0}%", with: " %")
    return (html, try Page.parsed(html))
  }

  @Test("Many groups stand by what they gain, the best is named, and no colour is another group's")
  func manyGroups() throws {
    let (html, page) = try page(groups: 12)
    #expect(page.text.contains("Of 12 groups g12 lies highest in Payers: 10 %, 12 % above control's"))
    let cells = page.cells.filter { $0.first == "Payers" }.map { $0[1].filter { !$0.isWhitespace } }
    #expect(cells.prefix(3) == ["g12inconclusive", "g11inconclusive", "g10inconclusive"])
    #expect(html.contains("series-rest\"></i>\u{a0}<bdi>g06</bdi>"))
    #expect(html.contains("series-5\"></i>\u{a0}<bdi>g05</bdi>"))
  }

  @Test("Of sixty groups some are called in the open, the rest on a click, and users are told together")
  func sixtyGroups() throws {
    let (html, page) = try page(groups: 60)
    #expect(html.contains("<summary>52 more groups: 52 keep.</summary>"))
    #expect(page.text.contains("Of each metric the 12 groups that gained most stand here"))
    #expect(page.text.contains("the numbers below have all 60."))
    #expect(page.cells.filter { $0.first == "Payers" }.count >= 60 + 12)
  }

  @Test("A name from right to left is set apart in every sentence, tag and attribute left alone")
  func rightToLeft() throws {
    let name = "\u{05DE}\u{05D7}\u{05D9}\u{05E8} 2"
    let html = try report([
      "group_metrics": metrics.replacingOccurrences(of: ",a,", with: ",\(name),"),
      "comparisons": comparisons.replacingOccurrences(of: ",a,", with: ",\(name),"),
    ])
    #expect(html.contains("&quot;<bdi>\(name)</bdi>&quot;&#39;s 5.00 %"))
    #expect(!html.contains("<bdi><bdi>"))
    #expect(try Page.parsed(html).text.contains(name))
  }
}
