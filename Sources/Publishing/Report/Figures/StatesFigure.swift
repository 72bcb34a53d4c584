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

  /// `Now subscribed: 5.1 % of group_a, 2.3 % of control.`: of the state that most are in, but never having bought.
  private static func largest(_ states: [StateCounts]) -> String {
    func users(_ state: StateCounts) -> Int { state.groups.reduce(0) { $0 + $1.users } }
    guard let most = states.max(by: { users($0) < users($1) }) else { return "Nobody has bought anything yet." }
    let shares = most.groups.compactMap { count in count.share.map { "\(Phrase.percent($0)) of \(count.group.text)" } }
    return "One state each at the cut-off. \(StoryWords.plain(most.state.name)): \(Phrase.list(shares))."
  }
}
