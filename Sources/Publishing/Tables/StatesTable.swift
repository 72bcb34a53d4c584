import Analysis

extension ResultTable {
  /// `states.csv`: where each group's measured users stand at the cut-off, one state each.
  static var states: ResultTable {
    ResultTable(
      "states", of: \.states,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .keyText("state", \.state.name),
        .integer("users", \.users),
        .real("share", \.share),
      ])
  }
}
