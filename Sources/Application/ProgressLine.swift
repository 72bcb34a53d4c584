import Domain
import Platform

/// How far a command has come, in a line.
///
///     offering-price-test 2026-04-30: events, 1.2 GB of 3.4 GB (35 %), 210 MB/s, 11 s left
package enum ProgressLine {
  /// - Parameter seconds: since the stage began.
  package static func text(_ state: ProgressMeter.State, seconds: Double) -> String {
    let parts = [state.stage] + amounts(of: state, seconds)
    let done = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return [state.subject, done].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private static func amounts(of state: ProgressMeter.State, _ seconds: Double) -> [String] {
    guard state.bytes > 0 else { return [] }
    let rate = seconds > 0 ? Double(state.bytes) / seconds : 0
    let speed = seconds >= 1 ? ["\(size(Int64(rate)))/s"] : []
    guard let all = state.allBytes, all >= state.bytes else { return [size(state.bytes)] + speed }
    let share = Int(Double(state.bytes) / Double(all) * 100)
    let left = seconds >= 1 && rate > 0 ? ["\(time(Double(all - state.bytes) / rate)) left"] : []
    return ["\(size(state.bytes)) of \(size(all)) (\(share) %)"] + speed + left
  }

  /// `812 B`, `1.2 GB`: three digits at the most.
  static func size(_ bytes: Int64) -> String {
    var value = Double(bytes)
    var units = ["B", "kB", "MB", "GB", "TB"][...]
    while value >= 999.5, units.count > 1 {
      value /= 1000
      units.removeFirst()
    }
    let isWhole = value >= 99.95 || units.first == "B"
    let tenths = Int((value * 10).rounded())
    let digits = isWhole ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
    return "\(digits) \(units.first ?? "B")"
  }

  /// `11 s`, `2 min`, `1 h 5 min`.
  static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    guard whole >= 100 else { return "\(whole) s" }
    let minutes = (whole + 30) / 60
    return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
