import Domain
import Jobs

/// Whose figures a night tells, in a sentence.
enum EnrolmentWords {
  /// `Counted: everybody assigned from 1 March 2026 to before 1 April 2026, UTC; users of several groups are left out.`
  ///
  /// - Parameter rules: nil where the run's version did not write them: then nothing is known.
  static func sentence(_ rules: StoryHead.Enrolment?) -> String? {
    guard let rules else { return nil }
    let time =
      switch (rules.from.map(moment), rules.to.map(moment)) {
      case (let from?, let to?): " from \(from) to before \(to)"
      case (let from?, nil): " from \(from) on"
      case (nil, let to?): " before \(to)"
      case (nil, nil): ""
      }
    let who =
      switch Job.Population(rawValue: rules.population) ?? .assigned {
      case .assigned: "everybody assigned\(time)"
      case .exposed: "users assigned\(time) who saw the paywall"
      case .logged: "users whom the log names with a group\(time)"
      }
    let several =
      Job.MultipleGroups(rawValue: rules.multipleGroups) == .first
      ? "users of several groups count in their first" : "users of several groups are left out"
    let former = rules.newCustomersOnly ? ["so are users who had paid before"] : []
    return "Counted: \(who)\(time.isEmpty ? "" : ", UTC"); \(([several] + former).joined(separator: "; "))."
  }

  /// `1 March 2026`, or with its minute where that is not midnight.
  private static func moment(_ text: String) -> String {
    guard let time = try? Instant(text, timezone: .gmt) else { return text }
    let isMidnight = time.milliseconds.isMultiple(of: Instant.millisecondsPerDay)
    return isMidnight ? DayWords.day(String(text.prefix(10))) : DayWords.minute(time)
  }
}
