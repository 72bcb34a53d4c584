import Domain
import Jobs
import Measurement

/// `freshness`: did the logs arrive up to the cut-off, and for every day?
///
/// A file that was not delivered looks like a day on which nobody bought anything, in every group alike, and
/// so escapes every comparison. Days before anybody was in a test are no such days: they may be told, but warn of nothing.
struct FreshnessCheck: HealthCheck {
  let terms = CheckTerms(
    "freshness",
    "no event in the last 36 hours before the cut-off, or a day without any since the first and since users are measured: "
      + "warns")

  /// With no event for longer before the cut-off, logs are probably missing: a day's file and half a day's delay.
  static let longestSilenceHours = 36.0
  private static let shownDays = 5

  /// Two rows: the silence before the cut-off, and the days without any event.
  func checks(of night: CheckedNight) -> [Check] {
    let freshness = night.measurement.freshness
    let first = night.measurement.offerings.compactMap(\.measuredFrom).min()?.utcDay
    return [lastEvent(freshness.lastEvent, night.asOf), everyDay(freshness.daysWithoutEvents, measuredFrom: first)]
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

  /// - Parameter measuredFrom: the day of the first measured user; nil where nobody is measured.
  private func everyDay(_ missing: [Int64], measuredFrom: Int64?) -> Check {
    let split = missing.firstIndex { $0 >= measuredFrom ?? $0 } ?? missing.endIndex
    let (before, since) = (Array(missing[..<split]), Array(missing[split...]))
    let start = before.isEmpty ? "first event" : "first user's beginning"
    let early =
      before.isEmpty
      ? "" : " \(Self.lack(before, "before anybody was measured")); nothing of the test is missing by that."
    guard !since.isEmpty else {
      return Check(
        name: name, subject: "every day", status: .pass, observed: 0, expected: 0,
        message: "Every day from the \(start) to the cut-off has events.\(early)",
        figures: ["days_before_anybody": Double(before.count)])
    }
    return Check(
      name: name, subject: "every day", status: .warn, observed: Double(since.count), expected: 0,
      message: "\(Self.lack(since, "between the \(start) and the cut-off")): \(Self.list(since)). Is a file missing?"
        + early,
      figures: [
        "days_before_anybody": Double(before.count), "days_not_named": Double(max(0, since.count - Self.shownDays)),
      ])
  }

  /// `2 days between the first event and the cut-off have no event at all`.
  private static func lack(_ days: [Int64], _ position: String? = nil) -> String {
    "\(Phrase.count(days.count, "day")) \(position.map { "\($0) " } ?? "")\(days.count == 1 ? "has" : "have") no event at all"
  }

  private static func list(_ days: [Int64]) -> String {
    let shown = days.prefix(shownDays).map { CivilDate(day: $0).description }
    return Phrase.list(shown + (days.count > shownDays ? ["\(Phrase.count(days.count - shownDays)) more"] : []))
  }
}
