import Statistics
import Testing

@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("Curves over days")
struct LineChartTests {
  private func chart(_ values: [Double]) -> LineChart {
    let points = values.enumerated().map { LineChart.Point(x: Double($0), y: $1, band: Interval($1 - 1, $1 + 1)) }
    return LineChart(
      curves: [LineChart.Curve(group: StoryGroup(name: "<a>", position: 1), points: points)], including: 0,
      xLabel: { "day \($0)" }, yLabel: { "\($0)" })
  }

  @Test("Many nights are drawn by few points, the last one among them")
  func thinned() throws {
    let html = try #require(chart((0..<4000).map { Double($0 % 7) }).html(title: "t"))
    #expect(html.utf8.count < 20_000)
    #expect(html.contains("day 3999"))
  }

  @Test("One point alone is drawn, names are text, and nothing makes no drawing")
  func edges() throws {
    let html = try #require(chart([3]).html(title: "t & u"))
    #expect(html.contains("class=\"curve series-1\""))
    #expect(html.contains("&lt;a&gt;") && html.contains("t &amp; u") && !html.contains("<a>"))
    #expect(chart([]).html(title: "t") == nil)
  }

  private func chart(of groups: [String]) -> LineChart {
    let curves = groups.enumerated().map { position, name in
      LineChart.Curve(
        group: StoryGroup(name: Identifier(name), position: position),
        points: [LineChart.Point(x: 0, y: Double(position), band: Interval(0, 1))])
    }
    return LineChart(curves: curves, xLabel: { "\($0)" }, yLabel: { "\($0)" })
  }

  @Test("Of many groups those that end highest and lowest are drawn, without bands, and it says so")
  func outermost() throws {
    let eight = try #require(chart(of: (1...8).map { "g\($0)" }).html(title: "t"))
    #expect(eight.contains("g4") && eight.contains("class=\"band") && !eight.contains("are drawn"))
    let nine = try #require(chart(of: (1...9).map { "g\($0)" }).html(title: "t"))
    #expect(nine.contains("g4") && !nine.contains("g5") && nine.contains("g6"))
    #expect(
      nine.contains("Of 9 groups the 4 that end highest and the 4 that end lowest are drawn, without their intervals."))
  }

  @Test("Names that begin alike are told apart at their curves' ends")
  func alikeNames() throws {
    let html = try #require(chart(of: ["control", "a_long_beginning_1", "a_long_beginning_2"]).html(title: "t"))
    #expect(html.contains(">…1<") && html.contains(">…2<") && html.contains(">control<"))
    let others = try #require(
      chart(of: ["a_long_beginning_1", "a_long_beginning_2", "another_name_altogether"]).html(title: "t"))
    #expect(others.contains(">…1<") && others.contains(">…2<") && others.contains(">another_nam…<"))
  }

  @Test("A place has its name where it lies, also where the middle is no whole number")
  func ticks() throws {
    func ticks(_ values: [Double]) throws -> [String] {
      let curve = LineChart.Curve(
        group: StoryGroup(name: "a", position: 1), points: values.map { LineChart.Point(x: $0, y: 1, band: nil) })
      let chart = LineChart(curves: [curve], xLabel: { "renewal \(NumberText.real($0))" }, yLabel: { "\($0)" })
      let html = try #require(chart.html(title: "t"))
      return html.matches(of: /<span style="left:([\d.]+)%">([^<]+)</).map { "\($0.1) \($0.2)" }
    }
    #expect(try ticks([0, 1, 2, 3]) == ["0 renewal 0", "66.67 renewal 2", "100 renewal 3"])
    #expect(try ticks([0, 1, 2]) == ["0 renewal 0", "50 renewal 1", "100 renewal 2"])
    #expect(try ticks([0, 1]) == ["0 renewal 0", "100 renewal 1"])
    #expect(try ticks([4]) == ["50 renewal 4"])
  }
}
