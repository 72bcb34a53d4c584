import Analysis
import Domain

/// How often a night's figures may be looked at, in a sentence for the head of its report and summary.
enum ReadingAdvice {
  static func sentence(_ rule: DecisionWords, confidence: Double) -> String {
    "Decisions and the intervals of lifts (\(Phrase.percent(confidence)), adjusted for the number of comparisons) "
      + rule.reading
  }
}
