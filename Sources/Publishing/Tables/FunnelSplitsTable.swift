import Analysis
import Engine

extension ResultTable {
  /// `funnel_splits.csv`: the users of funnels with `split_by:`, those for whom the event came between the first step
  /// and the second (`happened`) and those for whom it did not.
  ///
  /// Nobody drew lots for that event, so the two are no randomized comparison, and there is no p-value.
  static var funnelSplits: ResultTable {
    ResultTable(
      "funnel_splits", of: \.funnelSplits,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .key("funnel", \.funnel),
        .key("split_by", \.event),
        .keyText("happened") { $0.happened ? "yes" : "no" },
        .keyInteger("step", \.step),
        .text("name", \.name.text),
        .integer("users", \.users),
        .real("of_first", \.ofFirst),
      ])
  }
}
