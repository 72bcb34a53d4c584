import Domain
import Jobs

/// Whose figures a night tells, in a sentence.
enum EnrolmentWords {
  /// `Counted is everybody who was assigned from 1 March 2026 to before 1 April 2026, UTC; who was in several groups is
  /// left out.`
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
      case .assigned: "everybody who was assigned\(time)"
      case .exposed: "who was assigned\(time) and saw the paywall"
      case .logged: "everybody whom the log names with a group\(time)"
      }
    let several =
      Job.MultipleGroups(rawValue: rules.multipleGroups) == .first
      ? "who was in several groups counts in the first" : "who was in several groups is left out"
    let former = rules.newCustomersOnly ? ["who had paid before is left out, too"] : []
    return "Counted is \(who)\(time.isEmpty ? "" : ", UTC"); \(([several] + former).joined(separator: "; "))."
  }

  /// `1 March 2026`, or with its minute where that is not midnight.
  private static func moment(_ text: String) -> String {
    guard let time = try? Instant(text, timezone: .gmt) else { return text }
    let isMidnight = time.milliseconds.isMultiple(of: Instant.millisecondsPerDay)
    return isMidnight ? DayWords.day(String(text.prefix(10))) : DayWords.minute(time)
  }
}
