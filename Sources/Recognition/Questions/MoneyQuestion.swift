/// What a log's file does not say and its money hangs on: the readings there are, and what each group's money is by each.
struct MoneyQuestion {
  /// One way to read the file.
  struct Reading {
    /// Where it is right, behind an "if": `they were paid`.
    let condition: String
    /// What to type behind `init`: `--say rows.test=ignore`.
    let typed: String
    /// What a job says that has it so, `skip_where: {test: true}`; nil where it says nothing of it.
    let job: String?
    /// What each row comes to by it; nil where it is no money.
    let amounts: [Double?]
  }

  /// The file's name and what is found in it.
  let finding: String
  let readings: [Reading]
  /// The line that writes the file that an answer names; nil where none is to be written.
  var command: RowCommand?

  /// The question, with what to type for each answer.
  func text(_ money: GroupedMoney) -> String {
    let answers = readings.enumerated().map { position, reading in
      let (first, again) = position == 0 ? ("If", "type init again with ") : ("if", "with ")
      return "\(first) \(reading.condition), \(again)\(reading.typed) (\(money.words(reading.amounts)))"
    }
    let line = command.map { " Write \($0.result) so:\n    \($0.text)" } ?? ""
    return "\(finding). \(answers.joined(separator: "; ")).\(line)"
  }

  /// The same of a job that says nothing of it, with what to write there; nil where every reading takes a line of the job.
  func doubt(_ money: GroupedMoney) -> String? {
    guard let own = readings.first(where: { $0.job == nil }) else { return nil }
    let others = readings.compactMap { reading in
      reading.job.map { "if \(reading.condition), write \($0) (\(money.words(reading.amounts)))" }
    }
    return "\(finding): by this job \(money.words(own.amounts)); \(others.joined(separator: "; "))."
  }

  /// Whether the readings come to different money, or some row counts by one alone.
  func matters(_ money: GroupedMoney) -> Bool {
    readings.dropFirst().contains { other in
      other.amounts.count { $0 == nil } != readings[0].amounts.count { $0 == nil }
        || money.differ(readings[0].amounts, other.amounts)
    }
  }
}
