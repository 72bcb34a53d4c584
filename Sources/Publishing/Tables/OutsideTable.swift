import Analysis
import Engine

extension ResultTable {
  /// `outside.csv`: what users in no offering bought (`outside`), old clients above all, by the offering and group that
  /// their events were logged with first; and beside them what each group's did (`group`), from its assignment to the
  /// cut-off.
  ///
  /// Nobody drew lots for who is outside, so the rows are no comparison.
  static var outside: ResultTable {
    ResultTable(
      "outside", of: \.outside,
      columns: [
        .keyText("place", \.place.rawValue),
        .keyText("offering_id", \.offering?.text),
        .keyText("group_id", \.group?.text),
        .integer("users", \.sales.users),
        .integer("payers", \.sales.payers),
        .real("conversion", \.conversion),
        .integer("charges", \.sales.charges),
        .currency,
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
        .real("net_per_user", \.netPerUser),
      ])
  }
}
