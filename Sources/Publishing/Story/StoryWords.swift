import Analysis
import Domain
import Statistics

/// How both faces of a story print what has no unit of its own.
enum StoryWords {
  /// A group's value in a comparison: where nothing can be computed there is nothing yet.
  static func known(_ value: Double?, in unit: Unit) -> String { value.map(unit.words) ?? "nothing yet" }

  /// `+12.3 %`; empty where there is none, like the rest.
  static func lift(_ lift: Double?) -> String { lift.map(Phrase.lift) ?? "" }

  /// `+4.1 % to +21 %`.
  static func lifts(_ interval: Interval?) -> String {
    interval.map { "\(Phrase.lift($0.low)) to \(Phrase.lift($0.high))" } ?? ""
  }

  /// `+94.3 %`, `−9.3 %`: one decimal, so that lifts stand under each other; nothing measured falls below −100 %.
  static func signedLift(_ lift: Double) -> String {
    let lift = max(-1, lift)
    return "\(Digits.shares([lift.magnitude >= 10 ? 10 : 0.1]).signed(lift)) %"
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
