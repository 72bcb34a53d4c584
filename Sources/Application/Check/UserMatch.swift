import Domain
import Engine
import Measurement

/// How many purchases are of users that somebody assigned.
struct UserMatch {
  private let ids: UserIDSpellings

  init(_ measurement: RunMeasurement) {
    ids = measurement.userIDs
  }

  /// From this share of purchases of nobody known, ids of both sides are shown.
  private static let shownFrom = 0.5

  /// One sentence; none where there is nobody, or nothing was bought.
  var sentences: [String] {
    guard ids.assignedUsers > 0, ids.purchases > 0 else { return [] }
    let known = ids.purchases - ids.unassignedPurchases
    let share = Double(known) / Double(ids.purchases)
    let count =
      "\(Phrase.count(known)) of \(Phrase.count(ids.purchases, "purchase")) (\(Phrase.percent(share))) are of assigned "
      + "users."
    guard 1 - share >= Self.shownFrom else { return [count] }
    return [
      "\(count) Ids of the assignments, digits shown as 9 and letters as x: \(list(ids.assigned)); of the other purchases: \(list(ids.unassigned))."
    ]
  }

  /// Where no purchase is of an assigned user.
  var nobody: String? {
    guard ids.assignedUsers > 0, ids.purchases > 0, ids.purchases == ids.unassignedPurchases else { return nil }
    return
      "None of \(Phrase.count(ids.purchases, "purchase")) is of an assigned user, so every group would earn nothing. "
      + "Ids of the assignments, digits shown as 9 and letters as x: \(list(ids.assigned)); of the purchases: \(list(ids.unassigned)). Do columns: name the "
      + "users' column in both? Where another table leads from one id to the other, name it under identities:."
  }

  private func list(_ sample: [[UInt8]]) -> String {
    var shapes: [String] = []
    for id in sample {
      let shape = "\"\(UserIDShape.shape(id))\""
      if !shapes.contains(shape), shapes.count < 3 { shapes.append(shape) }
    }
    return Phrase.list(shapes)
  }
}
