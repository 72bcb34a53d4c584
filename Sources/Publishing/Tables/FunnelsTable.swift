import Analysis
import Measurement

extension ResultTable {
  /// `funnels.csv`: how many of each group's users took each step of the job's funnels.
  ///
  /// The first step is of all measured users, in `of_previous` and in its p-value; `of_first`, which the other steps'
  /// p-values are of, begins at 1. `immature`
  /// took the first step too short a time before the cut-off to be counted; `reachable` is false of steps that the job
  /// says the group cannot take.
  static var funnels: ResultTable {
    ResultTable(
      "funnels", "How many of each group's users took each step of the job's funnels.", of: \.funnels,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .key("funnel", "the funnel's name in the job", \.funnel),
        .keyInteger("step", "the step's number, from 1", \.step),
        .text("name", "the step's event, or its name in the job", \.name.text),
        .integer("users", "users who took this step and all before it, in time", \.users),
        .real("of_previous", "their share of the step before; of the first step, of all measured users", \.ofPrevious),
        .real("of_first", "their share of the first step", \.ofFirst),
        .real(
          "p_value_vs_baseline",
          "two-sided p of `of_first` against the baseline's, for a single look; of the first step, of its share of all measured users",
          \.pValue),
        .integer("immature", "users whose first step is too near the cut-off to be counted", \.immature),
        .flag("reachable", "false of a step that the job says the group cannot take", \.isReachable),
      ])
  }
}
