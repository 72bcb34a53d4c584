import Analysis
import Domain
import Engine

extension StateCounts {
  /// A line a state, a column a group; nil where nobody is in any state.
  static func figure(of states: [StateCounts], groups: [StoryGroup]) -> ReportFigure? {
    guard !states.isEmpty else { return nil }
    let state = FigureColumn<StateCounts>.text("state") { StoryWords.plain($0.state.name) }
    let active = states.filter { $0.state != .never }
    let shares = active.flatMap(\.groups).compactMap(\.share)
    let digits = Digits.shares(states.flatMap(\.groups).compactMap(\.share))
    let counts = groups.map { group in
      FigureColumn<StateCounts>.bar(
        group.text, { _ in group }, { $0.state == .never ? nil : $0.count(of: group)?.share }, longest: shares.max()
      ) { state in
        state.count(of: group).map { count in
          Phrase.count(count.users) + (count.share.map { " (\(digits.text($0)) %)" } ?? "")
        } ?? ""
      }
    }
    return ReportFigure(
      title: "Where everybody stands", lead: largest(active), of: states, columns: [state] + counts)
  }

  /// `Trial expired: 54.3 % of control and 50.8 % of banner. Active: …`: the states that most are in, but never having
  /// bought.
  private static func largest(_ states: [StateCounts]) -> String {
    func users(_ state: StateCounts) -> Int { state.groups.reduce(0) { $0 + $1.users } }
    guard !states.isEmpty else { return "Nobody has bought anything yet." }
    let most = states.enumerated().sorted { (users($1.element), $0.offset) < (users($0.element), $1.offset) }
    return most.prefix(3).map(\.element).map { state in
      let shares = state.groups.compactMap { count in
        count.share.map { "\(Phrase.percent($0)) of \(count.group.text)" }
      }
      let name = StoryWords.plain(state.state.name)
      return "\(name.prefix(1).uppercased())\(name.dropFirst()): \(Phrase.list(shares))."
    }.joined(separator: " ")
  }
}
