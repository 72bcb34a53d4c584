import Domain

/// Which metrics a first report is worth having, by what the files tell: money where some row tells a charge, else what
/// was done.
struct MetricsGuess {
  /// Lines of a job file, without their dashes.
  let lines: [String]
  /// What to know of them, a line each: why there are no longer windows.
  let remarks: [String]

  private static let usualDays = [30, 7]
  private static let shorterDays = [3, 1]

  init(_ survey: InputSurvey, spending carried: [String]) {
    let windows = Self.windows(survey)
    let long = windows.first.map { "\($0)d" } ?? "none"
    let short = windows.last.map { "\($0)d" } ?? "none"
    let events = EventMetrics(survey, carried: carried, short: short, long: long)
    lines =
      survey.reportsCharges
      ? Self.ofMoney(survey, short: short, long: long) + events.beside(spending: carried) : events.alone
    let ofWindows =
      windows == Self.usualDays
      ? [] : ["windows of 30 days fit once half of the users were assigned 30 days before the last event"]
    remarks = ofWindows + (survey.reportsCharges ? [] : ["no row tells a charge, so there is no money to measure yet"])
  }

  private static func ofMoney(_ survey: InputSurvey, short: String, long: String) -> [String] {
    var lines = ["{name: revenue_net, window: \(long), primary: true}"]
    // Of two windows of one metric the second keeps its name, whatever the first is changed to.
    if long != short { lines.append("{name: revenue_net, window: \(short), id: revenue_net_\(short)}") }
    lines.append("{name: paying_conversion, window: \(short)}")
    if long != short { lines.append("{name: paying_conversion, window: \(long), id: paying_conversion_\(long)}") }
    lines.append("{name: revenue_net_per_payer, window: \(long)}")
    if survey.reportsDefaults { lines.append("{name: default_uptake, window: \(long)}") }
    let further: [(type: String, line: String)] = [
      ("refund", "{name: refund_rate, window: \(long), goal: decrease}"),
      ("one_time_purchase", "{name: one_time_conversion, window: \(short)}"),
      ("paywall_view", "{name: exposure, window: \(short)}"),
      ("trial_start", "{name: trial_start_rate, window: \(short)}"),
      ("trial_start", "{name: trial_to_paid, window: \(long)}"),
    ]
    lines += further.filter { survey.events[$0.type] != nil }.map(\.line)
    if survey.grantsCredits { lines.append("{name: credits_granted, window: \(long)}") }
    return lines
  }

  /// Lengths in days, the longest first, that are over for half of the users by the end of the data, if they came
  /// evenly.
  private static func windows(_ survey: InputSurvey) -> [Int] {
    guard let assigned = survey.assigned, let last = survey.last else { return [] }
    let half = (assigned.lowerBound.milliseconds + assigned.upperBound.milliseconds) / 2
    let days = Int((last.milliseconds - half) / Instant.millisecondsPerDay)
    let usual = usualDays.filter { $0 <= days }
    return usual.isEmpty ? shorterDays.first { $0 <= days }.map { [$0] } ?? [] : usual
  }
}
