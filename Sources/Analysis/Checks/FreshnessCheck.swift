import Domain
import Engine
import Jobs

/// `freshness`: did the logs arrive up to the cut-off, and for every day?
///
/// A file that was not delivered looks like a day on which nobody bought anything, in every group alike, and
/// so escapes every comparison.
struct FreshnessCheck: HealthCheck {
  let terms = CheckTerms(
    "freshness", "no event in the last 36 hours before the cut-off, or a day without any since the first: warns")

  /// With no event for longer before the cut-off, logs are probably missing: a day's file and half a day's delay.
  static let longestSilenceHours = 36.0
  private static let shownDays = 5

  /// Two rows: the silence before the cut-off, and the days without any event.
  func checks(of night: CheckedNight) -> [Check] {
    let freshness = night.measurement.freshness
    return [lastEvent(freshness.lastEvent, night.asOf), everyDay(freshness.daysWithoutEvents)]
  }

  private func lastEvent(_ last: Instant?, _ asOf: Instant) -> Check {
    var check = Check(
      name: name, subject: "last event", status: .warn, expected: Self.longestSilenceHours,
      message: "The logs hold no event before \(asOf.rfc3339). Are all files there?")
    guard let last else { return check }
    let hours = Double(asOf.milliseconds - last.milliseconds) / 3_600_000
    check.observed = hours
    check.status = hours > Self.longestSilenceHours ? .warn : .pass
    let remedy = check.status == .warn ? " Has the newest file arrived? A night of then is run with --date." : ""
    check.message =
      "The last event is of \(last.rfc3339), \(Phrase.decimal(hours, decimals: 1)) hours before the cut-off.\(remedy)"
    return check
  }

  private func everyDay(_ missing: [Int64]) -> Check {
    var check = Check(
      name: name, subject: "every day", status: .pass, observed: Double(missing.count), expected: 0,
      message: "Every day from the first event to the cut-off has events.")
    guard !missing.isEmpty else { return check }
    let days = missing.prefix(Self.shownDays).map { CivilDate(day: $0).description }
    let rest = missing.count > Self.shownDays ? ["\(Phrase.count(missing.count - Self.shownDays)) more"] : []
    check.status = .warn
    check.message =
      "\(Phrase.count(missing.count, "day")) between the first event and the cut-off "
      + "\(missing.count == 1 ? "has" : "have") no event at all: \(Phrase.list(days + rest)). Is a file missing?"
    return check
  }
}
