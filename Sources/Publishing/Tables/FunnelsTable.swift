import Analysis
import Measurement

/// `funnels.csv`: how many of each group's users took each step of the job's funnels.
///
/// The first step is of all measured users, in `of_previous` and in its p-value; `of_first`, which the other steps'
/// p-values are of, begins at 1. `immature`
/// took the first step too short a time before the cut-off to be counted; `reachable` is false of steps that the job
/// says the group cannot take.
struct FunnelsTable: GroupTable {
  typealias Record = FunnelRow
  let name = "funnels"
  let meaning = "How many of each group's users took each step of the job's funnels."
  let records = Records<Record>.held(\.funnels)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let funnel = Name("funnel", "the funnel's name in the job", isKey: true, \.funnel)
  let step = Integer("step", "the step's number, from 1", in: .none, isKey: true, \.step)
  let stepName = Name("name", "the step's event, or its name in the job", \.name)
  let users = Integer("users", "users who took this step and all before it, in time", \.users)
  let ofPrevious = Real(
    "of_previous", "their share of the step before; of the first step, of all measured users", in: .share, \.ofPrevious)
  let ofFirst = Real("of_first", "their share of the first step", in: .share, \.ofFirst)
  let pValue = Real(
    "p_value_vs_baseline",
    "two-sided p of `of_first` against the baseline's, for a single look; of the first step, of its share of all measured users",
    in: .probability,
    \.pValue)
  let immature = Integer("immature", "users whose first step is too near the cut-off to be counted", \.immature)
  let isReachable = Flag("reachable", "false of a step that the job says the group cannot take", \.isReachable)
}
