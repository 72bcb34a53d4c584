/// Lengths of time as a job writes them.
package enum JobDuration {
  /// Milliseconds of `30d`, `24h`, `90m`, `2w`; nil for anything else, and for less than `minimum` units. A day is
  /// 86,400 seconds.
  package static func milliseconds(_ text: String, minimum: Int64 = 1) -> Int64? {
    guard let unit = text.last, let length = unitLengths[unit], let count = Int64(text.dropLast()), count >= minimum,
      text.first != "+", text.first != "-"
    else { return nil }
    let (milliseconds, overflow) = count.multipliedReportingOverflow(by: length)
    return overflow || milliseconds > longest ? nil : milliseconds
  }

  /// The letters of the units.
  package static var unitNames: String { String(unitLengths.keys.sorted()) }

  private static let unitLengths: [Character: Int64] = [
    "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
  ]
  /// A thousand years: no window is longer, and no sum with a time overflows.
  private static let longest: Int64 = 365_250 * 86_400_000
}
