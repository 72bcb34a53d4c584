import Analysis

extension StateCounts {
  /// A line a state, a column a group; nil where nobody is in any state.
  static func figure(of states: [StateCounts], groups: [StoryGroup]) -> ReportFigure? {
    guard !states.isEmpty else { return nil }
    let state = FigureColumn<StateCounts>.text("state") { StoryWords.plain($0.state.name) }
    let counts = groups.map { group in
      FigureColumn<StateCounts>.number(group.text) { state in
        state.count(of: group).map { StoryWords.count($0.users, share: $0.share) }
      }
    }
    return ReportFigure(title: "Where everybody stands", of: states, columns: [state] + counts)
  }
}
