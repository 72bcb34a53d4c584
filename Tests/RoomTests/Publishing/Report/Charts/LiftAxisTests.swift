import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("The axis of lifts")
struct LiftAxisTests {
  private func lift(_ value: Double?, _ low: Double, _ high: Double) -> Lift {
    Lift(
      metric: StoryMetric(name: "m", wording: MetricWording("m"), unit: .share, isPrimary: true, position: 0),
      group: StoryGroup(name: "a", position: 1),
      baseline: "control", segment: "all", baselineValue: 1, value: 1, lift: value, interval: Interval(low, high),
      adjustedPValue: nil, chanceToWin: nil, outcome: .decided(.inconclusive))
  }

  @Test("One wild interval does not flatten the others, and is marked as going on")
  func wild() {
    let axis = LiftAxis((0..<9).map { _ in lift(0.1, -0.05, 0.25) } + [lift(4, -3, 60)])
    #expect(axis.values.upperBound <= 1)
    #expect(axis.isAbove(60) && axis.isAbove(4) && !axis.isAbove(0.25))
    #expect(axis.values.lowerBound >= -1)
    let mark = LiftMark(axis: axis, lift: 4, interval: Interval(-3, 60), style: "better").svg(title: "x")
    #expect(mark.contains("class=\"tip better\"") && !mark.contains("<circle"))
  }

  @Test("0 is among the ticks, and all lie within the drawing", arguments: [[0.02], [1.5, -0.9], [-0.4], [0.0], []])
  func ticks(lifts: [Double]) {
    let axis = LiftAxis(lifts.map { lift($0, $0 - 0.1, $0 + 0.1) })
    #expect(axis.ticks.contains(0))
    #expect(axis.ticks.allSatisfy { (0...100).contains(axis.position($0)) })
    #expect(axis.ticks.count <= 9)
  }
}
