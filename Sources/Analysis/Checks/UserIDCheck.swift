import Domain
import Engine
import Jobs

/// `user_ids`: are users called the same in the assignments and in the purchases?
///
/// If not, nobody seems to have bought anything, in every group alike, and no comparison would notice. What is
/// published shows ids by their shape alone; who sits at the terminal sees them in full.
struct UserIDCheck: HealthCheck {
  let terms = CheckTerms(
    "user_ids",
    "purchases are of users without an assignment; or at least 1 % of them are of users whom the assignments write with other letter case, blanks or zeros, or ids are a spreadsheet's numbers (`4.07E+09`): fails, and shows how the ids of both sides are written",
    failsFrom: 0.95)

  /// From this share of purchases or ids that the way ids are written loses, it fails.
  static let lostLevel = 0.01
  private static let shownIDs = 3

  func checks(of inputs: CheckedInputs) -> [Check] {
    let (strangers, assigned) = (inputs.measurement.strangers, inputs.measurement.assignedIDs)
    guard assigned.users > 0, strangers.purchases > 0 else { return [] }
    return [unassigned(strangers, assigned, inputs.job), writtenOtherwise(strangers, assigned)].compactMap(\.self)
  }

  // MARK: - Nobody known

  private func unassigned(_ strangers: Strangers, _ assigned: AssignedIDs, _ job: Job) -> Check {
    let share = Double(strangers.unassigned) / Double(strangers.purchases)
    let start =
      "\(Phrase.count(strangers.unassigned)) of \(Phrase.count(strangers.purchases, "purchase")) "
      + "(\(Phrase.percent(share))) are of users without an assignment."
    var check = row(subject: "purchases without assignment", share: share, job: job, message: start)
    guard check.status == .fail else { return check }
    check.tell { show, mask in
      "\(start) Ids of the assignments\(mask): \(list(assigned.sample.all, show)); of those purchases: "
        + "\(list(strangers.sample.all, show)). If they name the same users, map the ones to the others with identities: "
        + "(alias, user), or name the right column under columns:, {user: …} of the assignments or {userId: …} of the "
        + "purchases; if most purchases are none of the test's, set warn_levels: {user_ids: 1}."
    }
    return check
  }

  // MARK: - Written otherwise

  /// The same ids, but for letter case, blanks, zeros: as far as the sample tells.
  private func writtenOtherwise(_ strangers: Strangers, _ assigned: AssignedIDs) -> Check? {
    let sample = strangers.sample.all
    let found = sample.compactMap { id in assigned.lookalikes[id].map { (stranger: id, assigned: $0) } }
    guard !found.isEmpty else { return nil }
    let share = Double(found.count) / Double(sample.count)
    let lost = share * Double(strangers.unassigned) / Double(strangers.purchases)
    var check = Check(
      name: name, subject: "written otherwise", status: lost >= Self.lostLevel ? .fail : .warn, observed: lost,
      expected: Self.lostLevel, message: "")
    check.tell { show, mask in
      let pairs = distinct(
        found.map { "\(show($0.stranger)) in the purchases, \(show($0.assigned)) in the assignments" })
      return
        "\(Phrase.count(found.count)) of \(Phrase.count(sample.count, "id")) looked at of users without an assignment "
        + "are in the assignments, written otherwise (\(differences(found)))\(mask): \(pairs.joined(separator: "; ")). Write both "
        + "alike where they are exported, or map them with identities: (alias, user)."
    }
    return check
  }

  private func differences(_ found: [(stranger: [UInt8], assigned: [UInt8])]) -> String {
    Phrase.list(Set(found.map { difference($0.stranger, $0.assigned) }).sorted())
  }

  private func difference(_ left: [UInt8], _ right: [UInt8]) -> String {
    let (left, right) = (String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
    let withoutBlanks = [left, right].map { $0.filter { !$0.isWhitespace } }
    if withoutBlanks[0] == withoutBlanks[1] { return "blanks" }
    if withoutBlanks[0].lowercased() == withoutBlanks[1].lowercased() { return "letter case" }
    let numbers = withoutBlanks.map { $0.lowercased().filter { $0 != "0" } }
    return numbers[0] == numbers[1] ? "zeros" : "quotes, hyphens or decimals"
  }

  private func list(_ ids: [[UInt8]], _ show: ([UInt8]) -> String) -> String {
    Phrase.list(distinct(ids.map(show)))
  }

  /// The first few, each once: ids of one shape look alike.
  private func distinct(_ examples: [String]) -> [String] {
    var shown: [String] = []
    for example in examples where !shown.contains(example) && shown.count < Self.shownIDs { shown.append(example) }
    return shown
  }
}

extension Check {
  /// Says the same twice: for everybody, with the shapes of ids, and for the terminal, with the ids.
  ///
  /// - Parameter sentence: of how an id is shown, and what to say behind "ids" where that is not the id itself.
  fileprivate mutating func tell(_ sentence: (_ show: ([UInt8]) -> String, _ mask: String) -> String) {
    message = sentence({ "\"\(UserIDForm.shape($0))\"" }, ", digits shown as 9 and letters as x")
    messageWithIDs = sentence({ "\"\(String(decoding: $0, as: UTF8.self))\"" }, "")
  }
}
