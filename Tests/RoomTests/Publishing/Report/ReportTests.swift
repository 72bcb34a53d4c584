import Foundation
import FoundationXML
import Testing

@testable import Application
@testable import Domain
@testable import Publishing

@Suite("The report")
struct ReportTests {
  /// Collects the text and the elements of a page, and whether it is well-formed.
  private final class Page: NSObject, XMLParserDelegate {
    var elements: [String: Int] = [:]
    var attributes: [String] = []
    var text = ""
    private var isCell = false
    /// The rows of all tables.
    var cells: [[String]] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements[name, default: 0] += 1
      if name == "tr" { cells.append([]) }
      if name == "td" || (name == "th" && attributes["scope"] == "row") { cells[cells.count - 1].append("") }
      isCell = name == "td" || name == "th"
      self.attributes += attributes.map { "\($0.key)=\($0.value)" }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { isCell = false }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      self.text += text
      if isCell, let row = cells.indices.last, !cells[row].isEmpty { cells[row][cells[row].count - 1] += text }
    }
  }

  /// The page taken apart; fails unless every element is closed and every character is one.
  private func page(_ html: String) throws -> Page {
    let page = Page()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = page
    try #require(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    return page
  }

  private func table(_ csv: String) throws -> ReportTable { try ReportTable(csv: Array(csv.utf8)) }

  private let head = """
    {"job":"j","night":"2026-03-31","asOf":"2026-04-01T00:00:00Z","currency":"USD","confidence":0.95,
    "decideBy":"sequential","verdicts":[{"offeringId":"o<1>","decision":"better","sentence":"b & c"}],
    "questions":[{"ask":"Does it \\"pay\\"?","metrics":["pay"],"funnels":["f"],"tables":["states"],"checks":["sticky"]}]}
    """

  private func report(_ tables: [String: String]) throws -> String {
    let head = try JSONDecoder().decode(ReportHead.self, from: Data(head.utf8))
    return try Report(head: head, tables: tables.mapValues(table)).html()
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
    let page = try page(try report([:]))
    #expect(page.text.contains("Every check passed."))
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
    let page = try page(html)
    for expected in [
      "Does it \"pay\"?", "+25 %", "+10 % to +40 %", "-100 % to -10 %", "lower", "nothing yet", "4 %", "5 USD",
      "two of <b>", "Funnel: f", "10 %", "900 (90 %)",
      "9.99 USD", "weekly", "day 0",
    ] {
      #expect(page.text.contains(expected), "\(expected)")
    }
    #expect(!page.text.contains("expired"))
    #expect((page.elements["svg"] ?? 0) >= 5)
    #expect(page.elements["table", default: 0] >= page.elements["svg", default: 0])
    // A drawing has a name for those who hear it.
    #expect(page.attributes.count { $0 == "role=img" } == page.elements["svg"])
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
      "funnel_splits": """
      offering_id,test_group_id,funnel,split_by,happened,step,name,users,of_first
      o<1>,a,f,nudge,yes,1,view,256,1

      """,
    ])
    let cells = try page(html).cells
    for row in [
      ["a", "965", "0", "20.6", "18.1 to 23.2", "155 (16.1 %)"],
      ["2", "a", "1,194", "6", "0.5 %"], ["29", "a", "1,192", "92", "7.72 %"],
      ["a", "group", "7,952", "244", "3.07 %", "430", "5,314.7 USD", "5,174.86 USD", "4,398.63 USD", "0.65 USD"],
      ["<VAR1>", "outside", "345", "16", "4.64 %", "32", "363.68 USD", "347.7 USD", "295.55 USD", "1.01 USD"],
    ] {
      #expect(cells.contains(row), "\(row)")
    }
    #expect(!cells.joined().contains("77"))
    let days = try ["2", "29"].map { day in try #require(cells.firstIndex { $0.first == day }) }
    #expect(days[0] < days[1])
    let text = try page(html).text
    #expect(text.contains("Of each day only trials that began so long ago that the day is over."))
    // Below the split, which a question asks for too, and below the users outside.
    #expect(text.components(separatedBy: "Nobody drew lots for this").count == 4)
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
    let page = try page(html)
    #expect(page.elements["script"] == nil)
    #expect(page.text.contains("<script>alert(1)</script>\"' onload=x {{job}} "))
    #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("url("))
    #expect(!page.attributes.contains { $0.hasPrefix("src=") || $0.hasPrefix("onload=") })
  }

  @Test("A name that a spreadsheet would run is read back without its guard")
  func guarded() throws {
    let rows = try table("a,b\n'=1+1,'plain\n\"'@x\",y\nshort\n").rows
    #expect(rows.map { [$0["a"], $0["b"], $0["c"]] } == [["=1+1", "'plain", ""], ["@x", "y", ""]])
  }

  @Test("The report made anew from a night's folder is the one the run wrote")
  func anew() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.assignments += (0..<300).map { "v\($0),test,\($0 % 2 == 0 ? "a" : "control"),2026-03-01" }
    world.events = (0..<60).map { event("purchase", march(3), ["userId": "v\($0)"]) }
    world.job = "questions: [{ask: Who pays?, metrics: [gross], checks: [sample_ratio]}]"
    let path = try world.write(to: folder)
    let run = try JobRun(path, output: folder.path("out"), threads: 1)
    _ = try await run.publish(try Instant("2026-04-01", timezone: .gmt))
    let night = folder.path("out/world/2026-03-31")
    let written = try Data(contentsOf: URL(fileURLWithPath: night + "/report.html"))
    try FileManager.default.removeItem(atPath: night + "/report.html")
    #expect(try ReportFolder.renew(night) == night + "/report.html")
    #expect(try Data(contentsOf: URL(fileURLWithPath: night + "/report.html")) == written)
    #expect(try page(String(decoding: written, as: UTF8.self)).text.contains("Who pays?"))
  }

  @Test("A folder that holds no run is refused, with what to name instead")
  func noRun() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: OfferliftError.self) { try ReportFolder.renew(folder.path("")) }
    #expect(missing?.exit == .inputMissing)
    try folder.write("run.json", "{}")
    let old = #expect(throws: OfferliftError.self) { try ReportFolder.renew(folder.path("")) }
    #expect(old?.exit == .badData)
  }

  @Test(
    "An axis shows its values between round numbers",
    arguments: [
      ([0.0, 0.1], [0, 0.02, 0.04, 0.06, 0.08, 0.1]), ([3.0, 3.0], nil), ([-1, 1e9], nil), ([], nil),
      ([-0.5, 1.4], [-0.5, 0, 0.5, 1]), ([1e300, 1.0000001e300], nil), ([.infinity, 1, 2], nil),
    ] as [([Double], [Double]?)])
  func axis(values: [Double], ticks: [Double]?) {
    let axis = Axis(values, pixels: 10...110)
    #expect((1...50).contains(axis.ticks.count))
    #expect(axis.ticks.allSatisfy { (10...110).contains(axis.place($0)) })
    if let ticks {
      #expect(zip(axis.ticks, ticks).allSatisfy { abs($0 - $1) < 1e-12 } && axis.ticks.count == ticks.count)
    }
    #expect(Axis([0, 1], pixels: 0...10, isUpwards: true).place(1) == 0)
  }
}
