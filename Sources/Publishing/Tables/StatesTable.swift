import Analysis

/// `states.csv`: where each group's measured users stand at the cut-off, one state each.
struct StatesTable: GroupTable {
  typealias Record = StateRow
  let name = "states"
  let meaning = "Where each group's measured users stand at the cut-off, one state each."
  let records = Records<Record>.held(\.states)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let state = Text("state", "the state: subscribed, in_trial, expired …", isKey: true, \.state.name)
  let users = Integer("users", "users in it", \.users)
  let share = Real("share", "their share of the group's measured users", in: .share, \.share)
}
