import Analysis
import Measurement

extension ResultTable {
  /// `outside.csv`: what users in no offering bought (`outside`), old clients above all, by the offering and group that
  /// their events were logged with first; and beside them what each group's did (`group`), from its assignment to the
  /// cut-off.
  ///
  /// Nobody drew lots for who is outside, so the rows are no comparison.
  static var outside: ResultTable {
    ResultTable(
      "outside",
      "What users in no offering bought, old clients above all, beside each group's own; nobody drew lots for it, so it is no comparison.",
      of: \.outside,
      columns: [
        .keyText("place", "group: measured users of a group; outside: users in no offering", \.place.rawValue),
        .keyText("offering_id", "the offering; outside, as the events were logged", \.offering?.text),
        .keyText("group_id", "the group; outside, as the events were logged", \.group?.text),
        .integer("users", "users", \.sales.users),
        .integer("payers", "users with a paid charge", \.sales.payers),
        .real("conversion", "payers of users", \.conversion),
        .integer("charges", "charges, renewals too", \.sales.charges),
        .currency,
        .money("gross", "money charged", \.sales.gross),
        .money("net", "money charged less refunds", \.sales.net),
        .money("proceeds", "net less tax and the store's commission", \.sales.proceeds),
        .real("net_per_user", "net by users", \.netPerUser),
      ])
  }
}
