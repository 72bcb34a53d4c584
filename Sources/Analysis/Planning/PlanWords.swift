import Domain
import Jobs
import Statistics

/// Says a plan in words, users and nights first, and in a small table.
struct PlanWords {
  let plan: TestPlan
  /// The baseline's value as a reader says it: `3 %`, `4.2 USD`.
  let value: String

  /// A sentence for the way the test is decided, one about its looks, one for each other way, one about today.
  var sentences: [String] {
    let outcomes = plan.outcomes
    let need = plan.lift.map { lift in
      outcomes.prefix(1).flatMap { [needed($0, lift), looks($0)].compactMap(\.self) } + outcomes.dropFirst().map(other)
    }
    return (need ?? []) + [today(outcomes)].compactMap(\.self)
  }

  /// The same in figures: a heading and a row for each way to decide.
  static let heading = [
    "decided", "users in baseline", "users in all", "nights", "power at the last look", "at any look", "detectable now",
  ]

  var rows: [[String]] {
    plan.outcomes.map { outcome in
      [
        outcome.rule.words.manner, outcome.baselineUsers.map { Phrase.count($0) } ?? "-",
        outcome.allUsers.map { Phrase.count($0) } ?? "-", nights(outcome.wait),
        share(outcome.powerAtLastLook), share(outcome.powerAtAnyLook),
        outcome.detectableLift.map(Phrase.percent) ?? "-",
      ]
    }
  }

  // MARK: - Sentences

  private func needed(_ outcome: TestPlan.Outcome, _ lift: Double) -> String {
    let aim = "a lift of \(Phrase.change(lift)) on \(value)"
    let how = "with \(Phrase.percent(plan.rules.power)) power, \(outcome.rule.words.manner)"
    guard let baseline = outcome.baselineUsers, let all = outcome.allUsers else {
      return "No number of users that is worth waiting for finds \(aim) \(how)."
    }
    let users = "\(Phrase.count(all, "user")) (\(Phrase.count(baseline)) in the baseline)"
    switch outcome.wait {
    case .nights(0) where plan.crowd.baselineUsers != nil:
      return "There are enough users to find \(aim) \(how): it takes \(users)."
    case .nights(let nights):
      let more = plan.crowd.baselineUsers == nil ? "" : " more"
      return
        "It takes \(users) and \(Phrase.count(nights))\(more) night\(nights == 1 ? "" : "s") to find \(aim) \(how)."
    case .enrolmentEndsBefore:
      return "It takes \(users) to find \(aim) \(how), and enrolment ends before so many have come."
    case nil:
      return "It takes \(users) to find \(aim) \(how)."
    }
  }

  /// What the looks before the last one add.
  private func looks(_ outcome: TestPlan.Outcome) -> String? {
    guard let last = outcome.powerAtLastLook, let any = outcome.powerAtAnyLook, let whose = outcome.rule.words.looks
    else { return nil }
    let looks =
      Phrase.count(outcome.looks, "look") + (outcome.looks == TestPlan.mostLooks ? ", no more are reckoned" : "")
    return "The last look alone has \(share(last)) power; with \(whose), \(looks), it is \(share(any))."
  }

  private func other(_ outcome: TestPlan.Outcome) -> String {
    let how = outcome.rule.words.manner
    guard let all = outcome.allUsers else { return "Decided otherwise (\(how)) it cannot be found either." }
    let opening = "If it is \(how) instead: \(Phrase.count(all, "user"))"
    switch outcome.wait {
    case .nights(0) where plan.crowd.baselineUsers != nil: return "\(opening), which are there."
    case .nights(let nights): return "\(opening), \(Phrase.count(nights)) night\(nights == 1 ? "" : "s")."
    case .enrolmentEndsBefore: return "\(opening), more than will come."
    case nil: return "\(opening)."
    }
  }

  private func today(_ outcomes: [TestPlan.Outcome]) -> String? {
    guard plan.crowd.baselineUsers != nil, let first = outcomes.first else { return nil }
    let all = plan.usersNow ?? 0
    let now = "With the \(Phrase.count(all, "user")) there are now"
    guard let lift = first.detectableLift else { return "\(now) no lift would be found." }
    return "\(now) a lift of \(Phrase.percent(lift)) or more, up or down, would be found."
  }

  private func share(_ power: Double?) -> String { power.map { Phrase.percent(min($0, 0.999)) } ?? "-" }

  private func nights(_ wait: TestPlan.Wait?) -> String {
    switch wait {
    case .nights(let nights): Phrase.count(nights)
    case .enrolmentEndsBefore: "never"
    case nil: "-"
    }
  }
}

/// Lines up a table for the terminal: the first columns to the left, figures to the right.
enum TextTable {
  /// One line a row, two blanks between columns.
  static func lines(_ rows: [[String]], leftColumns: Int) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return column < leftColumns ? row[column] + blanks : blanks + row[column]
      }
      return cells.joined(separator: "  ")
    }
  }
}
