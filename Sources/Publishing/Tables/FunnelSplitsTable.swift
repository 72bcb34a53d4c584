import Analysis
import Measurement

extension ResultTable {
  /// `funnel_splits.csv`: the users of funnels with `split_by:`, those for whom the event came between the first step
  /// and the second (`happened`) and those for whom it did not.
  ///
  /// Nobody drew lots for that event, so the two are no randomized comparison, and there is no p-value.
  static var funnelSplits: ResultTable {
    ResultTable(
      "funnel_splits",
      "Funnels with `split_by:`, once with and once without that event; nobody drew lots for it, so it is no comparison.",
      of: \.funnelSplits,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .key("funnel", "the funnel's name in the job", \.funnel),
        .key("split_by", "the event that splits its users", \.event),
        .keyText("happened", "yes or no: whether the event came between the first step and the second") {
          $0.happened ? "yes" : "no"
        },
        .keyInteger("step", "the step's number, from 1", \.step),
        .text("name", "the step's event, or its name in the job", \.name.text),
        .integer("users", "users who took this step and all before it, in time", \.users),
        .real("of_first", "their share of the first step", \.ofFirst),
      ])
  }
}
