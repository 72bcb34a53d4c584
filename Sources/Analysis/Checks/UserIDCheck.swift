import Domain
import Jobs
import Measurement

/// `user_ids`: are users called the same in the assignments and in the purchases?
///
/// If not, nobody seems to have bought anything, in every group alike, and no comparison would notice.
/// Ids are shown by their shape alone, on the terminal as well.
struct UserIDCheck: HealthCheck {
  let terms = CheckTerms(
    "user_ids",
    "purchases are of users without an assignment; or at least 1 % of them are of users whom the assignments write otherwise (letter case, blanks, marks that nobody sees, Unicode form, zeros, rounded or with an exponent), or ids are a spreadsheet's numbers (`4.07E+09`): fails, from 0.1 % on it warns, and shows how the ids of both sides are written",
    failsFrom: 0.95)

  /// From this share of purchases or ids that the way ids are written loses, it fails.
  static let lostLevel = 0.01
  /// From this share on it warns.
  private static let warnLevel = 0.001
  private static let shownIDs = 3

  func checks(of inputs: CheckedInputs) -> [Check] {
    let ids = inputs.measurement.userIDs
    guard ids.assignedUsers > 0, ids.purchases > 0 else { return [] }
    return [unassigned(ids, inputs.job), writtenOtherwise(ids)].compactMap(\.self)
  }

  // MARK: - Nobody known

  private func unassigned(_ ids: UserIDSpellings, _ job: Job) -> Check {
    let share = Double(ids.unassignedPurchases) / Double(ids.purchases)
    let start =
      "\(Phrase.count(ids.unassignedPurchases)) of \(Phrase.count(ids.purchases, "purchase")) "
      + "(\(Phrase.percent(share))) are of users without an assignment."
    var check = row(
      subject: "purchases without assignment", count: ids.unassignedPurchases, of: ids.purchases, job: job,
      message: start)
    guard check.status == .fail else { return check }
    check.emit(
      "\(start) Ids of the assignments\(Self.mask): \(list(ids.assigned)); of those purchases: "
        + "\(list(ids.unassigned)). If they name the same users, map the ones to the others with identities: "
        + "(alias, user), or name the right column under columns:, {user: …} of the assignments or {userId: …} of the "
        + "purchases; if most purchases are none of the test's, set warn_levels: {user_ids: 1}.")
    return check
  }

  // MARK: - Written otherwise

  /// The same ids, but for letter case, blanks, zeros: as far as the sample tells.
  private func writtenOtherwise(_ ids: UserIDSpellings) -> Check? {
    let found = ids.lookalikes
    guard !found.isEmpty else { return nil }
    let differences = Set(found.map(\.difference)).sorted { $0.rawValue < $1.rawValue }
    let share = Double(found.count) / Double(ids.unassigned.count)
    let lost = share * Double(ids.unassignedPurchases) / Double(ids.purchases)
    guard lost >= Self.warnLevel else { return nil }
    var check = Check(
      name: name, subject: "written otherwise", status: lost >= Self.lostLevel ? .fail : .warn, observed: lost,
      expected: Self.lostLevel, message: "",
      figures: ["found": Double(found.count), "looked_at": Double(ids.unassigned.count)])
    let pairs = distinct(
      found.map { "\(shape($0.unassigned)) in the purchases, \(shape($0.assigned)) in the assignments" })
    check.emit(
      "\(Phrase.count(found.count)) of \(Phrase.count(ids.unassigned.count, "id")) looked at of users without an assignment "
        + "are in the assignments, written otherwise (\(Phrase.list(differences.map(\.words))))\(Self.mask): "
        + "\(pairs.joined(separator: "; ")). Write both alike where they are exported\(differences.compactMap(\.remedy).joined()), "
        + "or map the ones to the others with a table, identities: ids.csv (alias,user).")
    return check
  }

  private static let mask = ", digits shown as 9 and letters as x"

  private func list(_ ids: [[UInt8]]) -> String { Phrase.list(distinct(ids.map(shape))) }

  private func shape(_ id: [UInt8]) -> String { "\"\(UserIDShape.shape(id))\"" }

  /// The first few, each once: ids of one shape look alike.
  private func distinct(_ examples: [String]) -> [String] {
    var shown: [String] = []
    for example in examples where !shown.contains(example) && shown.count < Self.shownIDs { shown.append(example) }
    return shown
  }
}

extension Check {
  /// Says it, on the terminal too.
  fileprivate mutating func emit(_ sentence: String) {
    message = sentence
    isReported = true
  }
}

extension UserIDDifference {
  /// What differs, in a word or two.
  fileprivate var words: String {
    switch self {
    case .blanks: "blanks"
    case .letterCase: "letter case"
    case .unicodeForm: "Unicode form"
    case .invisible: "marks that nobody sees"
    case .exponent: "numbers with an exponent"
    case .rounding: "rounded digits"
    case .prefix: "a prefix"
    case .decimals: "decimals"
    case .zeros: "zeros"
    case .marks: "quotes, hyphens or decimals"
    }
  }

  /// What to type where they are exported; nil where that depends on who writes the file.
  fileprivate var remedy: String? {
    switch self {
    case .unicodeForm: "; a file is brought into one Unicode form by: uconv -x any-nfc FILE > FILE.nfc"
    case .invisible:
      #"; a file is rid of them by: perl -CSD -pe 's/[\p{Cf}\x00-\x08\x0b\x0c\x0e-\x1f]//g' FILE > FILE.clean"#
    case .exponent, .rounding: "; in SQL: CAST(user_id AS VARCHAR), in JSON as a text between quotes, never as a number"
    case .letterCase: "; in SQL: LOWER(user_id)"
    case .blanks: "; in SQL: TRIM(user_id)"
    case .prefix: "; in SQL: LOWER(HEX(user_id))"
    case .decimals: "; in pandas: df.user_id.astype(\"Int64\").astype(\"string\")"
    case .zeros, .marks: nil
    }
  }
}
