import Analysis
import Engine

/// `charges_by.csv`: what each group's users bought between their assignment and T, by what the logs tell of the charges'
/// attributes: the store, the paywall that sold.
///
/// For each attribute the values' charges and money add up to those of `products.csv`; a user who bought with several
/// values is a buyer of each.
enum ChargesByTable {
  static func table(of night: NightResult) -> Table {
    Table("charges_by", of: night.chargesBy, columns: keys + counts + [currency(night)] + money)
  }

  /// What must stand beside it.
  static let reading =
    "Who buys where is a consequence of the group: this describes what was bought, and tests nothing."

  private static var keys: [TableColumn<ChargesByRow>] {
    [
      .key("offering_id", \.offering),
      .key("test_group_id", \.group),
      .key("attribute", \.sales.attribute),
      .key("value", \.sales.value),
    ]
  }

  private static var counts: [TableColumn<ChargesByRow>] {
    [
      .integer("buyers", \.sales.sums.buyers),
      .integer("charges", \.sales.sums.charges),
      .integer("refunded_charges", \.sales.sums.refundedCharges),
    ]
  }

  private static func currency(_ night: NightResult) -> TableColumn<ChargesByRow> {
    .text("currency") { _ in night.currency }
  }

  private static var money: [TableColumn<ChargesByRow>] {
    [
      .exact("gross") { .micros($0.sales.sums.gross) },
      .exact("net") { .micros($0.sales.sums.net) },
      .exact("proceeds") { .micros($0.sales.sums.proceeds) },
    ]
  }
}
