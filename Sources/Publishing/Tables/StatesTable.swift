import Analysis

/// `states.csv`: where each group's measured users stand at T, one state each.
enum StatesTable {
  static func table(of night: NightResult) -> Table { Table("states", of: night.states, columns: columns) }

  private static var columns: [TableColumn<StateRow>] {
    [
      .key("offering_id", \.offering),
      .key("test_group_id", \.group),
      .keyText("state", \.state.name),
      .integer("users", \.users),
      .real("share", \.share),
    ]
  }
}
