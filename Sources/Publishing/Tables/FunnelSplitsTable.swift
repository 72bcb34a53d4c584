import Analysis
import Measurement

/// `funnel_splits.csv`: the users of funnels with `split_by:`, those for whom the event came between the first step
/// and the second (`happened`) and those for whom it did not.
///
/// Nobody drew lots for that event, so the two are no randomized comparison, and there is no p-value.
struct FunnelSplitsTable: GroupTable {
  typealias Record = FunnelSplitRow
  let name = "funnel_splits"
  let meaning =
    "Funnels with `split_by:`, once with and once without that event; nobody drew lots for it, so it is no comparison."
  let records = Records<Record>.held(\.funnelSplits)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let funnel = Name("funnel", "the funnel's name in the job", isKey: true, \.funnel)
  let event = Name("split_by", "the event that splits its users", isKey: true, \.event)
  let happened = Text(
    "happened", "yes or no: whether the event came between the first step and the second", isKey: true
  ) {
    $0.happened ? "yes" : "no"
  }
  let step = Integer("step", "the step's number, from 1", in: .none, isKey: true, \.step)
  let stepName = Name("name", "the step's event, or its name in the job", \.name)
  let users = Integer("users", "users who took this step and all before it, in time", \.users)
  let ofFirst = Real("of_first", "their share of the first step", in: .share, \.ofFirst)
}
