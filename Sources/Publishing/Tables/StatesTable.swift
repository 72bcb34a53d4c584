import Analysis

extension ResultTable {
  /// `states.csv`: where each group's measured users stand at the cut-off, one state each.
  static var states: ResultTable {
    ResultTable(
      "states", "Where each group's measured users stand at the cut-off, one state each.", of: \.states,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .keyText("state", "the state: subscribed, in_trial, expired …", \.state.name),
        .integer("users", "users in it", \.users),
        .real("share", "their share of the group's measured users", \.share),
      ])
  }
}
