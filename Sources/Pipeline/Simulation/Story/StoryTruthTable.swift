/// The truth of a story as rows of `truth.csv`: `what, group, name, value`.
struct StoryTruthTable {
  let scenario: Scenario
  let story: Story
  let cast: StoryCast

  var rows: [[String]] { scenario.groups.indices.flatMap(groupRows) + countRows }

  private func groupRows(_ group: Int) -> [[String]] {
    let name = scenario.groups[group].name
    let expectation = StoryExpectation(story: story, group: group)
    let expected = story.truths.compactMap { line in
      expectation.share(line).map { ["expected", name, line.name, $0.sixDecimals] }
    }
    let users = [["happened", name, "assigned_users", "\(cast.count.users[group])"]]
    let figures = zip(story.truths, cast.count.figures[group]).flatMap { line, figure in
      [
        ["happened", name, "\(line.name)_users", "\(figure.users)"],
        ["happened", name, "\(line.name)_\(line.sum == nil ? "did" : "sum")", text(figure.value, line)],
      ]
    }
    let states = Story.states.map { state in
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

  private var countRows: [[String]] {
    let users = [
      ["users", "", "multiple_groups", "\(cast.count.twoGroupUsers)"],
      ["users", "", "old_clients", "\(cast.count.unassignedUsers)"],
      ["rows", "", "assignments", "\(cast.count.assignmentRows)"],
    ]
    let rows = zip(story.outputs, cast.accounts).map { ["rows", "", $0.path, "\($1.rows)"] }
    let dirt = zip(story.outputs, cast.accounts).flatMap { output, account in
      account.dirt.sorted { $0.key.order < $1.key.order }.map {
        ["dirt", "", "\(output.path) \($0.rawValue)", "\($1)"]
      }
    }
    let setAside = cast.setAside.sorted { $0.key < $1.key }.map { ["set_aside", "", $0, "\($1)"] }
    return users + rows + dirt + setAside
  }

  /// What the folder now holds, for people.
  var summary: [String] {
    zip(story.outputs, cast.accounts).map { "  \($0.path): \($1.rows) rows of \($0.format.rawValue)" }
  }
}
