import Domain
import Jobs
import Measurement

/// `time_range`: can the times be right?
struct TimeRangeCheck: HealthCheck {
  let terms = CheckTerms(
    "time_range",
    "rows have times before 2000 (serial dates, milliseconds for seconds): warns, from its level it fails; the first assignment lies more than two years before the last event: warns",
    failsFrom: 0.01)

  /// A test that ran for longer is rather one row with a wrong time.
  static let longestTestDays: Int64 = 731

  /// One row for each input with times before 2000, and one where the first assignment lies years before the last
  /// event; none where all is well.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let measurement = inputs.measurement
    let early = measurement.earlyTimes.filter { $0.value.rows > 0 }.sorted { $0.key < $1.key }
    return early.compactMap { input, times in
      let rows = measurement.accounts.filter { $0.input == input }.reduce(0) { $0 + $1.rows }
      return check(input, times, of: max(rows, times.rows), level: terms.level(in: inputs.job))
    } + [longTest(measurement)].compactMap(\.self)
  }

  private func check(_ input: String, _ times: EarlyTimes, of rows: Int, level: Double) -> Check {
    let share = Double(times.rows) / Double(rows)
    return Check(
      name: name, subject: "input \(input)", status: share >= level ? .fail : .warn, observed: share,
      expected: level,
      message:
        "\(Phrase.count(times.rows)) of \(Phrase.count(rows, "row")) of \(input) (\(Phrase.percent(share))) have a time "
        + "before 2000, the earliest \(Instant(milliseconds: times.earliest).rfc3339). Are they milliseconds, and "
        + "time_unit: seconds, or the other way round? Is it the right column?")
  }

  private func longTest(_ measurement: RunMeasurement) -> Check? {
    guard let first = measurement.firstAssignment, let last = measurement.freshness.lastEvent else { return nil }
    let days = last.utcDay - first.utcDay
    guard days > Self.longestTestDays else { return nil }
    return Check(
      name: name, subject: "first assignment", status: .warn, observed: Double(days),
      expected: Double(Self.longestTestDays),
      message:
        "The first assignment is of \(first.rfc3339), \(Phrase.count(days)) days before the last event. Is its time "
        + "wrong? If the test began later, say so with enrolment: {from: …}.")
  }
}
