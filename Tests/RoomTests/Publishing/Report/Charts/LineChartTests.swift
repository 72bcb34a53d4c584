import Statistics
import Testing

@testable import Domain
@testable import Publishing

@Suite("Curves over days")
struct LineChartTests {
  private func chart(_ values: [Double]) -> LineChart {
    let points = values.enumerated().map { LineChart.Point(x: Double($0), y: $1, band: Interval($1 - 1, $1 + 1)) }
    return LineChart(
      curves: [LineChart.Curve(group: StoryGroup(name: "<a>", place: 1), points: points)], including: 0,
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
}
