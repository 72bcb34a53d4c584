import Domain
import Engine

/// How many purchases are of users that somebody assigned.
struct UserMatch {
  private let strangers: Strangers
  private let assigned: AssignedIDs

  init(_ measurement: Measurement) {
    strangers = measurement.strangers
    assigned = measurement.assignedIDs
  }

  /// From this share of purchases of nobody known, ids of both sides are shown.
  private static let shownFrom = 0.5

  /// One sentence; none where there is nobody, or nothing was bought.
  var sentences: [String] {
    guard assigned.users > 0, strangers.purchases > 0 else { return [] }
    let known = strangers.purchases - strangers.unassigned
    let share = Double(known) / Double(strangers.purchases)
    let count =
      "\(Phrase.count(known)) of \(Phrase.count(strangers.purchases, "purchase")) (\(Phrase.percent(share))) are of assigned "
      + "users."
    guard 1 - share >= Self.shownFrom else { return [count] }
    return [
      "\(count) Ids of the assignments: \(list(assigned.sample)); of the other purchases: \(list(strangers.sample))."
    ]
  }

  /// Where no purchase is of an assigned user.
  var nobody: String? {
    guard assigned.users > 0, strangers.purchases > 0, strangers.purchases == strangers.unassigned else { return nil }
    return
      "None of \(Phrase.count(strangers.purchases, "purchase")) is of an assigned user, so every group would earn nothing. "
      + "Ids of the assignments: \(list(assigned.sample)); of the purchases: \(list(strangers.sample)). Do columns: name the "
      + "users' column in both? Where another table leads from one id to the other, name it under identities:."
  }

  private func list(_ sample: UserIDSample) -> String {
    Phrase.list(sample.all.prefix(3).map { "\"\(String(decoding: $0, as: UTF8.self))\"" })
  }
}
