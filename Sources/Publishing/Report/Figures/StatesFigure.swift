import Analysis
import Domain
import Measurement

extension StateCounts {
  /// A line a state, a column a group; of many groups a line for each of a state's. Nil where nobody is in any state.
  static func figure(of states: [StateCounts], groups: [StoryGroup]) -> ReportFigure? {
    guard !states.isEmpty else { return nil }
    let active = states.filter { $0.state != .never }
    let longest = active.flatMap(\.groups).compactMap(\.share).max()
    let digits = Digits.shares(states.flatMap(\.groups).compactMap(\.share))
    func text(_ count: Count) -> String {
      Phrase.count(count.users) + (count.share.map { " (\(digits.text($0)) %)" } ?? "")
    }
    let (title, lead) = ("Where everybody stands", largest(active))
    guard groups.count <= mostColumns else {
      return ReportFigure(
        title: title, method: .counting, lead: lead,
        of: states.flatMap { state in state.groups.map { (state: state.state, count: $0) } },
        columns: [
          .text("state") { StoryWords.plain($0.state.name) }, .group { $0.count.group },
          .bar("users", \.count.group, { $0.state == .never ? nil : $0.count.share }, longest: longest) {
            text($0.count)
          },
        ])
    }
    let counts = groups.map { group in
      FigureColumn<StateCounts>.bar(
        group.text, { _ in group }, { $0.state == .never ? nil : $0.count(of: group)?.share }, longest: longest
      ) { $0.count(of: group).map(text) ?? "" }
    }
    return ReportFigure(
      title: title, method: .counting, lead: lead, of: states,
      columns: [.text("state") { StoryWords.plain($0.state.name) }] + counts)
  }

  /// So many groups have room beside each other.
  private static let mostColumns = 6

  /// `Trial expired: 54.3 % of control and 50.8 % of banner. Active: …`: the states that most are in, but never having
  /// bought.
  private static func largest(_ states: [StateCounts]) -> String {
    func users(_ state: StateCounts) -> Int { state.groups.reduce(0) { $0 + $1.users } }
    guard !states.isEmpty else { return "Nobody has bought anything yet." }
    let most = states.enumerated().sorted { (users($1.element), $0.offset) < (users($0.element), $1.offset) }
    return most.prefix(3).map(\.element).map { state in
      let shares = state.groups.compactMap { count in
        count.share.map { "\(Phrase.percent($0)) of \(count.group.inWords)" }
      }
      let name = StoryWords.plain(state.state.name)
      return "\(name.prefix(1).uppercased())\(name.dropFirst()): \(StoryWords.list(shares))."
    }.joined(separator: " ")
  }
}
