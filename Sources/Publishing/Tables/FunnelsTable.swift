import Analysis
import Engine

extension ResultTable {
  /// `funnels.csv`: how many of each group's users took each step of the job's funnels.
  ///
  /// The first step is of all measured users, in `of_previous` and in its p-value; `of_first` begins at 1. `immature`
  /// took the first step too short a time before the cut-off to be counted; `reachable` is false of steps that the job
  /// says the group cannot take.
  static var funnels: ResultTable {
    ResultTable(
      "funnels", of: \.funnels,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .key("funnel", \.funnel),
        .keyInteger("step", \.step),
        .text("name", \.name.text),
        .integer("users", \.users),
        .real("of_previous", \.ofPrevious),
        .real("of_first", \.ofFirst),
        .real("p_value_vs_baseline", \.pValue),
        .integer("immature", \.immature),
        .flag("reachable", \.isReachable),
      ])
  }
}
