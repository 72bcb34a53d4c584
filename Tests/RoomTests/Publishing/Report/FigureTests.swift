import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("Figures of the report")
struct FigureTests {
  private let head = """
    {"job":"j","night":"2026-03-31","asOf":"2026-04-01T00:00:00Z","currency":"USD","confidence":0.95,
    "decideBy":"sequential","questions":[],"verdicts":[{"offeringId":"o","decision":"better","sentence":"s"}]}
    """

  private func page(_ tables: [String: String]) throws -> String {
    try Report.html(of: NightStory(head: head, tables: tables)).replacing("\u{a0}%", with: " %")
  }

  private func curves(_ metrics: [String], lastAtRisk: Int = 2) -> String {
    "offering_id,test_group_id,metric,renewals_due,at_risk,ended,censored,survival\n"
      + metrics.map { metric in
        """
        o,a,\(metric),1,100,10,5,0.9
        o,a,\(metric),2,40,10,28,0.675
        o,a,\(metric),3,\(lastAtRisk),0,2,0.675

        """
      }.joined()
  }

  @Test("A curve that two metrics read is drawn once, and both are named")
  func oneCurve() throws {
    let html = try page(["retention_renewals": curves(["month_1", "month_2"])])
    #expect(html.components(separatedBy: "Subscribers kept, by renewals due</h3>").count == 2)
    #expect(html.contains("One curve for “month_1” and “month_2”."))
    #expect(try page(["retention_renewals": curves(["month_1"])]).contains("<h3>month_1, by renewals due</h3>"))
  }

  private func tablesHTML(of figure: ReportFigure) -> String { figure.context["tables"] as? String ?? "" }

  @Test("Names and numbers in a figure's tables are escaped, and drawings are not")
  func escapedCells() {
    let columns = [
      FigureColumn<String>.text("<name>") { $0 },
      FigureColumn<String>(heading: "share") { (text: String) in .counted(text, of: "1 of \"2\"") },
      FigureColumn<String>(heading: "bar") { (text: String) in .bar("<svg></svg>", text: text) },
    ]
    let figure = ReportFigure(title: "a & b", method: .counting, lead: "l", of: ["<i>\u{202e} 5 %"], columns: columns)
    let html = tablesHTML(of: figure)
    #expect(html.contains("<bdi>&lt;name&gt;</bdi>"))
    #expect(html.contains("<bdi>&lt;i&gt;\\u{202e} 5\u{a0}%</bdi>"))
    #expect(html.contains("<span class=\"count\">1\u{a0}of\u{a0}&quot;2&quot;</span>"))
    #expect(html.contains("<svg></svg><bdi>&lt;i&gt;\\u{202e}\u{a0}5\u{a0}%</bdi>"))
    #expect(!html.contains("\u{202e}"))
  }

  @Test("A figure without rows has its sentence and no empty table")
  func noRows() {
    let column = FigureColumn<Int>.text("number") { "\($0)" }
    let tables: ([Int]) -> Int = { records in
      let figure = ReportFigure(title: "t", method: .counting, lead: "Nothing moved.", of: records, columns: [column])
      return tablesHTML(of: figure).components(separatedBy: "<table ").count - 1
    }
    #expect(tables([]) == 0)
    #expect(tables([1]) == 1)
  }

  @Test("More than a hundred rows are folded away")
  func folded() {
    let column = FigureColumn<Int>.text("number") { "\($0)" }
    let isFolded: (Int) -> Bool = { count in
      let figure = ReportFigure(title: "t", method: .counting, lead: "Many.", of: Array(1...count), columns: [column])
      return tablesHTML(of: figure).contains("<details class=\"numbers\">")
    }
    #expect(!isFolded(100))
    #expect(isFolded(101))
  }

  private func states(groups: Int) throws -> String {
    let rows = (0..<groups).map { "o,g\($0),subscribed,\($0 + 1),0.1\no,g\($0),never,9,0.9\n" }
    let html = try page(["states": "offering_id,test_group_id,state,users,share\n" + rows.joined()])
    let figure = html.components(separatedBy: "Where everybody stands").dropFirst().joined()
    return String(figure.prefix { $0 != "§" })
  }

  @Test("Up to six groups stand beside each other, more below each other, and a sentence names six")
  func manyGroups() throws {
    let few = try states(groups: 6)
    #expect(few.contains("<bdi>g5</bdi></th>"))
    let many = try states(groups: 7)
    #expect(!many.contains("<bdi>g6</bdi></th>"))
    #expect(many.contains("<bdi>users</bdi></th>"))
    #expect(many.contains("10 % of g5 and 1 more."))
  }

  @Test("Of very many rows the first are shown, and how many there are")
  func manyRows() {
    let column = FigureColumn<Int>.text("number") { "\($0)" }
    let shown: (Int) -> (rows: Int, note: String) = { count in
      let figure = ReportFigure(title: "t", method: .counting, lead: "Many.", of: Array(1...count), columns: [column])
      let html = tablesHTML(of: figure)
      let note = html.firstMatch(of: /<p class="note">([^<]*)<\/p>/).map { String($0.1) }
      return (html.components(separatedBy: "<th role=\"rowheader\"").count - 1, note ?? "")
    }
    #expect(shown(2000) == (2000, ""))
    #expect(shown(2001) == (2000, "These are the first 2,000 of 2,001 rows; the CSV files have all."))
  }

  @Test("Of very many products those with most buyers are shown")
  func manyProducts() throws {
    let figure = { (count: Int) in
      try self.page([
        "products": "offering_id,test_group_id,product_id,kind,buyers,charges,refunded_charges,gross,net,proceeds\n"
          + (1...count).map { "o,a,item\($0)-x,consumable,\($0),\($0),0,1.00,1.00,1.00\n" }.joined()
      ])
    }
    let some = try figure(100)
    #expect(some.contains("item1-x") && some.contains("item100-x") && !some.contains("products.csv has all"))
    let many = try figure(101)
    #expect(!many.contains("item1-x") && many.contains("item2-x") && many.contains("item101-x"))
    #expect(many.contains("These are the 100 products with most buyers, of 101; products.csv has all."))
  }

  @Test("Shares are told of the last time beyond which somebody was followed")
  func lastTime() throws {
    #expect(try page(["retention_renewals": curves(["m"])]).contains("By renewal 2, 67.5 % of a&#39;s subscribers"))
    #expect(try page(["retention_renewals": curves(["m"], lastAtRisk: 3)]).contains("By renewal 3, 67.5 %"))
  }

  @Test("Where it is too early to say, or a check failed, no difference is said to be shown")
  func differingSince() throws {
    let daily = """
      day,offering_id,test_group_id,metric,primary,rel_lift,decided_ci_low,decided_ci_high
      2026-03-29,o,a,m,true,0.2,-0.1,0.5
      2026-03-30,o,a,m,true,0.3,0.1,0.5
      2026-03-31,o,a,m,true,0.3,0.1,0.5

      """
    func lead(_ decision: String) throws -> String {
      let comparisons = "offering_id,test_group_id,segment,metric,primary,decision\no,a,all,m,true,\(decision)\n"
      return try page(["daily": daily, "comparisons": comparisons])
    }
    #expect(try lead("better").contains("a is shown to differ since 30 March 2026."))
    #expect(try lead("too_early").contains("Of a it is too early to say."))
    #expect(try lead("do_not_trust").contains("A check failed, so no difference is shown."))
    for decision in ["too_early", "do_not_trust"] {
      #expect(try !lead(decision).contains("is shown to differ"))
    }
  }

  @Test("A difference is shown where a group is decided to be better or worse, and nowhere else")
  func shownDifferences() throws {
    func lead(_ decision: String) throws -> Bool {
      let comparisons = """
        offering_id,baseline_group_id,test_group_id,segment,metric,primary,decision
        o,c,a,all,m,true,inconclusive
        o,c,a,all,n,false,\(decision)

        """
      return try page(["comparisons": comparisons]).contains("A difference is shown in n.")
    }
    for decision in Decision.allCases {
      #expect(try lead(decision.rawValue) == [.better, .worse].contains(decision))
    }
  }

  @Test("Where nothing tells how long a product lasts, nobody is said to be left")
  func unknownPeriod() throws {
    let checks = "offering_id,check,subject,status,observed,expected,p_value,message\n,unknown_period,,warn,1,,,m\n"
    let html = try page(["retention_renewals": curves(["m"]), "checks": checks])
    #expect(html.contains("so the curve does not say who is left"))
    #expect(!html.contains("By renewal"))
  }

  @Test("A step is named once for all groups, each with its colour, and p-values are in the fold")
  func steps() throws {
    let html = try page([
      "group_metrics": "offering_id,test_group_id,is_baseline,segment,metric\no,control,true,all,m\no,a,false,all,m\n",
      "funnels": """
      offering_id,test_group_id,funnel,step,name,users,of_previous,of_first,p_value_vs_baseline,reachable
      o,a,f,1,view,100,,1,,true
      o,a,f,2,buy,10,0.1,0.1,0.03,true
      o,control,f,1,view,90,,1,,true
      o,control,f,2,buy,0,,0,,false

      """,
    ])
    let rows = html.components(separatedBy: "<tr role=\"row\" class=\"").dropFirst()
    #expect(rows.prefix(5).map { $0.hasPrefix("again") } == [false, true, false, true, false])
    #expect(html.contains("<i class=\"swatch series-1\"></i>\u{a0}<bdi>a</bdi>"))
    #expect(html.contains("cannot take it"))
    let fold = try #require(html.firstRange(of: "p against the baseline"))
    #expect(html[..<fold.lowerBound].contains("<summary>The numbers"))
  }
}
