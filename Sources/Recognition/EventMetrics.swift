import Domain

/// Metrics of what was done, whatever was paid: activations, failures, trials, views.
struct EventMetrics {
  private let survey: InputSurvey
  /// Types that the log has and nobody else knows.
  private let carried: [String]
  private let short: String
  private let long: String

  init(_ survey: InputSurvey, carried: [String], short: String, long: String) {
    (self.survey, self.carried, self.short, self.long) = (survey, carried, short, long)
  }

  /// What a user came nearest to paying by, the nearest first.
  private static let steps = ["activation", "trial_start", "purchase_tap"]
  /// What comes before anything else.
  private static let views = ["plan_view", "paywall_view", "offering_served"]
  /// What is better where there is less of it.
  private static let failures = [
    "validation_failed", "already_subscribed", "purchase_failed", "purchase_cancelled", "billing_retry", "expire",
    "cancel", "auth_invalid", "server_error",
  ]

  /// The metrics of a job in which nothing tells money; the first decides.
  var alone: [String] {
    let others = carried.filter { !(Self.steps + Self.views + Self.failures).contains($0) }
    let found = (Self.steps + others + Self.views + Self.failures).filter { survey.events[$0] != nil }
    // Where nothing happened that could be counted, who saw the offering is as good as anything.
    guard !found.isEmpty else { return ["{name: exposure, window: \(short), primary: true}"] }
    return found.enumerated().map { line($1, isPrimary: $0 == 0) } + [failedShare].compactMap(\.self)
  }

  /// Those that stand beside money.
  func beside(spending: [String]) -> [String] {
    let reported = ["validation_failed", "already_subscribed"].filter { survey.events[$0] != nil }
    let seconds =
      survey.logsOfTrials > 1
      ? [
        "{name: event_rate, event: trial_start, at_least: 2, window: \(long), id: second_trial_\(long), "
          + "label: \"Users who took a second trial\"}"
      ] : []
    let scans = survey.grantsCredits ? spending.filter { $0 == "scan" } : []
    return reported.map { line($0) } + [failedShare].compactMap(\.self) + seconds
      + scans.map { "{name: event_count, event: \($0), window: \(long)}" }
  }

  /// Which share of the receipts sent in fails.
  private var failedShare: String? {
    guard survey.events["validation_failed"] != nil, survey.events["activation"] != nil else { return nil }
    return "{name: count_ratio, numerator: validation_failed, denominator: [activation, validation_failed], "
      + "window: \(short), goal: decrease, id: failed_receipts_\(short), label: \"Receipts that failed, of all sent in\"}"
  }

  private func line(_ type: String, isPrimary: Bool = false) -> String {
    let primary = isPrimary ? ", primary: true" : ""
    let goal = Self.failures.contains(type) ? ", goal: decrease" : ""
    switch type {
    case "trial_start": return "{name: trial_start_rate, window: \(short)\(primary)}"
    case "paywall_view": return "{name: exposure, window: \(short)\(primary)}"
    default:
      return "{name: event_rate, event: \(YAMLText.value(type)), window: \(short)\(primary)\(goal), "
        + "id: \(Self.name(type))_\(short)}"
    }
  }

  /// A type in the letters that ids have.
  private static func name(_ type: String) -> String {
    type.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
  }
}
