import Domain
import Engine
import Measurement

/// What becomes of a log's rows, where none of them counts.
enum CountedRows {
  /// Reasons that leave a whole log out where something about the job is wrong.
  private static let reasons: Set<SetAsideReason> = [.sandbox, .familyShared, .notMeasured, .skipped]

  /// Where logs have rows, and a rule of the job or of the store leaves every one of them out.
  static func nothing(_ measurement: RunMeasurement) -> String? {
    let accounts = measurement.accounts.filter { $0.input == "purchases" && $0.rows > 0 }
    let counts = accounts.reduce(into: [SetAsideReason: Int]()) { counts, account in
      counts.merge(account.setAside.filter { reasons.contains($0.key) }) { $0 + $1 }
    }
    let rows = accounts.reduce(0) { $0 + $1.rows }
    guard rows > 0, counts.values.reduce(0, +) == rows else { return nil }
    let words = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      "\($0.key.rawValue) \(Phrase.count($0.value))"
    }
    return
      "None of \(Phrase.count(rows, "row")) of the purchases counts: \(words.joined(separator: ", ")). Is the log of the "
      + "right app and environment, and do types:, skip_where: and columns: say what they are to say?"
  }
}
