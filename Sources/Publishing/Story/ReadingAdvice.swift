import Analysis
import Domain
import Jobs
import Statistics

/// How often a night's figures may be looked at, in a sentence for the head of its report and summary.
enum ReadingAdvice {
  static func sentence(decideBy: DecidingTest, confidence: Double) -> String {
    let level = "\(Phrase.percent(confidence)), adjusted for the number of comparisons"
    return switch decideBy {
    case .sequential:
      "Decisions and the intervals of lifts (\(level)) may be read every night, from when they no longer say too "
        + "early; other intervals and p-values are for a single look."
    case .fixed:
      "Decisions and the intervals of lifts (\(level)) hold for a single look, at the end planned beforehand."
    }
  }
}
