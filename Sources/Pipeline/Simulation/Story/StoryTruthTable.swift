/// The truth of a story as rows of `truth.csv`: `what, group, name, value`.
struct StoryTruthTable {
  let scenario: Scenario
  let story: Story
  let cast: StoryCast

  /// Beside a paywall's own rows only what they do not say.
  var rows: [[String]] {
    guard !scenario.hasPaywall else { return fileRows + setAsideRows("set_aside_beside") }
    return scenario.groups.indices.flatMap(groupRows) + userRows + fileRows + setAsideRows("set_aside")
  }

  private func groupRows(_ group: Int) -> [[String]] {
    let name = scenario.groups[group].name
    let expectation = StoryExpectation(story: story, group: group)
    let expected = story.truths.compactMap { line in
      expectation.share(line).map { ["expected", name, line.name, $0.sixDecimals] }
    }
    let users = [["happened", name, "measured_users", "\(cast.count.users[group])"]]
    let figures = zip(story.truths, cast.count.figures[group]).flatMap { line, figure in
      [
        ["happened", name, "\(line.name)_users", "\(figure.users)"],
        ["happened", name, "\(line.name)_\(line.sum == nil ? "did" : "sum")", text(figure.value, line)],
      ]
    }
    let hasStates = story.steps.contains { !$0.state.isEmpty }
    let states = (hasStates ? Story.states : []).map { state in
      ["happened", name, "state_\(state)", "\(cast.count.states[group][state] ?? 0)"]
    }
    return expected + users + figures + states
  }

  private func text(_ value: Int128, _ line: TruthLine) -> String {
    switch line.sum {
    case .gross, .net, .proceeds: "\(value / 1_000_000).\(Int64(value % 1_000_000).padded(6))"
    case nil, .charges, .credits: "\(value)"
    }
  }

  private var userRows: [[String]] {
    [
      ["users", "", "multiple_groups", "\(cast.count.twoGroupUsers)"],
      ["users", "", "old_clients", "\(cast.count.unassignedUsers)"],
      ["rows", "", "assignments", "\(cast.count.assignmentRows)"],
    ]
  }

  /// Rows of each output, and those of them with a fault.
  private var fileRows: [[String]] {
    zip(story.outputs, cast.accounts).flatMap { output, account in
      let faults = account.dirt.sorted { $0.key.order < $1.key.order }
      return [["rows", "", output.path, "\(account.rows)"]]
        + faults.map { ["dirt", "", "\(output.path) \($0.rawValue)", "\($1)"] }
    }
  }

  private func setAsideRows(_ what: String) -> [[String]] {
    cast.setAside.sorted { $0.key < $1.key }.map { [what, "", $0, "\($1)"] }
  }

  /// What the folder now holds, for people.
  var summary: [String] {
    zip(story.outputs, cast.accounts).map { "  \($0.path): \($1.rows) rows of \($0.format.rawValue)" }
  }
}
