import Analysis
import Domain
import Statistics

/// How both faces of a story print what has no unit of its own.
enum StoryWords {
  /// What is said of each group in turn; of more than six groups the first six, as the figure's table has them all.
  static func list(_ words: [String]) -> String { Phrase.list(words, most: 6) }

  /// `+94.3 %`, `−9.3 %`: one decimal, so that lifts stand under each other.
  static func signedLift(_ lift: Double) -> String {
    "\(Digits.shares([lift.magnitude >= 10 ? 10 : 0.1]).signed(lift)) %"
  }

  /// `+37.1 to +186.6 %`; empty where there is none.
  static func interval(_ interval: Interval?) -> String {
    interval.map { "\(signedLift($0.low).dropLast(2)) to \(signedLift($0.high))" } ?? ""
  }

  /// `412 (41.2 %)`: a count, and the share it is of something.
  static func count(_ number: Int, share: Double?) -> String {
    Phrase.count(number) + (share.map { " (\(Phrase.percent($0)))" } ?? "")
  }

  /// A name of ours without its underscores.
  static func plain(_ name: String) -> String { name.replacing("_", with: " ") }
}
