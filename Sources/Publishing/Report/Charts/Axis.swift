import Foundation

/// Values laid out over a stretch of a drawing, with round numbers to read them by.
struct Axis {
  let values: ClosedRange<Double>
  let pixels: ClosedRange<Double>
  /// Larger values lie higher up, where y is smaller.
  let isUpwards: Bool

  /// An axis that shows all of `values`, and `including` in any case.
  init(_ values: [Double], including: Double? = nil, pixels: ClosedRange<Double>, isUpwards: Bool = false) {
    let all = (values + [including].compactMap(\.self)).filter(\.isFinite)
    var (low, high) = (all.min() ?? 0, all.max() ?? 1)
    if low == high { (low, high) = (low - Self.slack(low), high + Self.slack(high)) }
    self.values = low...high
    self.pixels = pixels
    self.isUpwards = isUpwards
  }

  private static func slack(_ value: Double) -> Double { max(value.magnitude / 10, 0.01) }

  /// Where a value lies; one beyond the ends lies at the end.
  func position(_ value: Double) -> Double { farPosition(min(max(value, values.lowerBound), values.upperBound)) }

  /// Where a value lies, also one beyond the ends, as far out as a drawing can be told to go.
  func farPosition(_ value: Double) -> Double {
    let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
    let length = pixels.upperBound - pixels.lowerBound
    let position = isUpwards ? pixels.upperBound - share * length : pixels.lowerBound + share * length
    return min(max(position, -1e5), 1e5)
  }

  /// Four to eight round numbers within the values: steps of 1, 2 or 5 times a power of ten.
  var ticks: [Double] {
    let span = values.upperBound - values.lowerBound
    guard span > 0, span.isFinite else { return [values.lowerBound] }
    let rough = span / 6
    let power = pow(10, floor(log10(rough)))
    let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? rough
    let first = Int64((values.lowerBound / step).rounded(.up))
    let last = Int64((values.upperBound / step).rounded(.down))
    guard first <= last, last - first < 50 else { return [values.lowerBound, values.upperBound] }
    return (first...last).map { Double($0) * step }
  }
}
