import Domain

/// The truth of a story as rows of `truth.csv`: `what, group, name, value`.
struct StoryTruthTable {
  let scenario: Scenario
  let story: Story
  let cast: StoryCast

  /// Beside a paywall's own rows only what they do not say.
  var rows: [[String]] {
    let groups = scenario.groups.indices
    guard !scenario.hasPaywall else { return groups.flatMap { expectedRows($0) + figureRows($0) } + fileRows }
    return groups.flatMap { expectedRows($0) + userRows($0) + figureRows($0) + stateRows($0) } + userRows + fileRows
  }

  private func expectedRows(_ group: Int) -> [[String]] {
    let expectation = StoryExpectation(story: story, group: group)
    return story.truths.compactMap { line in
      expectation.share(line).map { ["expected", scenario.groups[group].name, line.name, $0.sixDecimals] }
    }
  }

  private func userRows(_ group: Int) -> [[String]] {
    [["happened", scenario.groups[group].name, "measured_users", "\(cast.count.users[group])"]]
  }

  private func figureRows(_ group: Int) -> [[String]] {
    zip(story.truths, cast.count.figures[group]).flatMap { line, figure in
      var values = [
        ("users", "\(figure.users)"), (line.sum == nil ? "did" : "sum", text(figure.value, line)),
      ]
      if line.sum == .balance { values.append(("zero", "\(figure.zeros)")) }
      return values.map { ["happened", scenario.groups[group].name, "\(line.name)_\($0)", $1] }
    }
  }

  private func stateRows(_ group: Int) -> [[String]] {
    let name = scenario.groups[group].name
    let hasStates = story.steps.contains { !$0.state.isEmpty }
    return (hasStates ? Story.states : []).map { state in
      ["happened", name, "state_\(state)", "\(cast.count.states[group][state] ?? 0)"]
    }
  }

  private func text(_ value: Int128, _ line: TruthLine) -> String {
    switch line.sum {
    case .gross, .net, .proceeds: "\(value / 1_000_000).\(Int64(value % 1_000_000).padded(6))"
    case nil, .charges, .credits, .spent, .balance: "\(value)"
    }
  }

  private var userRows: [[String]] {
    [
      ["users", "", "multiple_groups", "\(cast.count.twoGroupUsers)"],
      ["users", "", "old_clients", "\(cast.count.unassignedUsers)"],
      ["rows", "", "assignments", "\(cast.count.assignmentRows)"],
    ]
  }

  /// Rows of each output, those of them with a fault, and those that must be set aside.
  private var fileRows: [[String]] {
    zip(story.outputs, cast.accounts).flatMap { output, account in
      let faults = account.dirt.sorted { $0.key.order < $1.key.order }
      let reasons = account.setAside.sorted { $0.key < $1.key }
      return [["rows", "", output.path, "\(account.rows)"]]
        + faults.map { ["dirt", "", "\(output.path) \($0.rawValue)", "\($1)"] }
        + reasons.map { ["set_aside", "", "\(output.path) \($0)", "\($1)"] }
    }
  }

  /// What the folder now holds, for people.
  var summary: [String] {
    zip(story.outputs, cast.accounts).map { "  \($0.path): \($1.rows) rows of \($0.format.rawValue)" }
  }
}
