import Analysis
import Measurement

/// `outside.csv`: what users in no offering bought (`outside`), old clients above all, by the offering and group that
/// their events were logged with first; and beside them what each group's did (`group`), from its assignment to the
/// cut-off.
///
/// Nobody drew lots for who is outside, so the rows are no comparison.
struct OutsideTable: ResultTable {
  typealias Record = OutsideRow
  let name = "outside"
  let meaning =
    "What users in no offering bought, old clients above all, beside each group's own; nobody drew lots for it, so it is no comparison."
  let records = Records<Record>.held(\.outside)

  let position = Text(
    "place", "group: measured users of a group; outside: users in no offering", isKey: true, \.position.rawValue)
  let offering = Text("offering_id", "the offering; outside, as the events were logged", isKey: true, \.offering?.text)
  let group = Text("group_id", "the group; outside, as the events were logged", isKey: true, \.group?.text)
  let users = Integer("users", "users", \.sales.users)
  let payers = Integer("payers", "users with a paid charge", \.sales.payers)
  let conversion = Real("conversion", "payers of users", in: .share, \.conversion)
  let charges = Integer("charges", "charges, renewals too", \.sales.charges)
  let currency = Text.currency
  let gross = Micros("gross", "money charged", \.sales.gross)
  let net = Micros("net", "money charged less refunds", \.sales.net)
  let proceeds = Micros("proceeds", "net less tax and the store's commission", \.sales.proceeds)
  let netPerUser = Real("net_per_user", "net by users", in: .currency, \.netPerUser)
}
