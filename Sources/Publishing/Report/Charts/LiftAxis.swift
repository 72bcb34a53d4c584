import Foundation
import Statistics

/// The axis that all lifts of a figure share: 0 in it, round ends, and what lies beyond them marked at the edge.
struct LiftAxis {
  /// The ends that are shown, as lifts.
  let values: ClosedRange<Double>

  /// An axis that shows most of the lifts' intervals; one wild interval does not flatten all others.
  init(_ lifts: [Lift]) { self.init(points: lifts.compactMap(\.lift), intervals: lifts.compactMap(\.interval)) }

  init(points: [Double], intervals: [Interval]) {
    let ends = intervals.flatMap { [$0.low, $0.high] } + points
    let reach = Self.reach(
      ends.map(\.magnitude).filter(\.isFinite).sorted(), points: points.map(\.magnitude).filter(\.isFinite))
    let low = ends.contains { $0 < 0 } ? max(min(-1, ends.min() ?? -1), -reach) : -reach / 8
    let high = ends.contains { $0 > 0 } ? reach : reach / 8
    values = low...high
  }

  /// All estimates lie within and most ends of intervals, but nothing that would flatten four of five of them; rounded
  /// up, at least 5 %.
  private static func reach(_ ends: [Double], points: [Double]) -> Double {
    guard let last = ends.last else { return 0.1 }
    let usual = ends[min(ends.count - 1, ends.count * 4 / 5)]
    let wanted = max(usual, 1.5 * (points.max() ?? 0))
    let most = max(0.05, min(last, wanted, 4 * usual))
    let power = pow(10, floor(log10(most)))
    return [1.0, 1.5, 2, 3, 4, 5, 6, 8, 10].map { $0 * power }.first { $0 >= most } ?? most
  }

  /// Where a lift lies, in percent of the axis' length; what is off scale lies at its end.
  func position(_ lift: Double) -> Double {
    let inside = min(max(lift, values.lowerBound), values.upperBound)
    return 2 + 96 * (inside - values.lowerBound) / (values.upperBound - values.lowerBound)
  }

  func isBelow(_ lift: Double) -> Bool { lift < values.lowerBound }
  func isAbove(_ lift: Double) -> Bool { lift > values.upperBound }

  /// Round lifts to read it by, 0 among them.
  var ticks: [Double] {
    let span = values.upperBound - values.lowerBound
    let power = pow(10, floor(log10(span / 4)))
    let step = [1.0, 2, 5, 10].map { $0 * power }.first { span / $0 <= 4 } ?? span
    let first = Int((values.lowerBound / step).rounded(.up))
    let last = Int((values.upperBound / step).rounded(.down))
    return (first...max(first, last)).map { Double($0) * step }
  }

  /// Those of them that have room for their names: the first, 0 and the last, where they do not crowd each other.
  var namedTicks: [Double] {
    let ends = [ticks.first, ticks.last].compactMap(\.self).filter { abs(position($0) - position(0)) > 36 }
    return ends + [0]
  }
}
