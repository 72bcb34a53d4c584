import Analysis
import Engine

/// `outside.csv`: what users in no offering bought (`outside`), old clients above all, by the offering and group that
/// their events were logged with first; and beside them what each group's did (`group`), from its assignment to T.
///
/// Nobody drew lots for who is outside, so the rows are no comparison.
enum OutsideTable {
  static func table(of night: NightResult) -> Table { Table("outside", of: night.outside, columns: columns(night)) }

  private static func columns(_ night: NightResult) -> [TableColumn<OutsideRow>] {
    [
      .keyText("place", \.place.rawValue),
      .keyText("offering_id", \.offering?.text),
      .keyText("group_id", \.group?.text),
      .integer("users", \.sales.users),
      .integer("payers", \.sales.payers),
      .real("conversion", \.conversion),
      .integer("charges", \.sales.charges),
      .text("currency") { _ in night.currency },
      .exact("gross") { .micros($0.sales.gross) },
      .exact("net") { .micros($0.sales.net) },
      .exact("proceeds") { .micros($0.sales.proceeds) },
      .real("net_per_user", \.netPerUser),
    ]
  }
}
