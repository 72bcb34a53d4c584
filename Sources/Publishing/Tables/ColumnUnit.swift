/// What a column's numbers are counted in.
enum ColumnUnit: String, Sendable {
  /// It is no number, or one that stands for itself.
  case none = ""
  case count
  case days
  case nights
  case bytes
  case currency = "reporting currency"
  case ownCurrency = "the currency beside it"
  /// `metrics` says it of each metric.
  case metric = "the metric's unit"
  /// Of an exact sum: `scale` says how many make one of the metric's unit.
  case scaled = "the metric's unit by scale"
  case share = "share, 0 to 1"
  case probability = "probability, 0 to 1"
  /// 0.1 is 10 % more.
  case lift = "share of the baseline's value"
  /// Percent of one thing for each percent of another.
  case elasticity = "percent per percent"
  /// The check's sentence says it.
  case check = "as the check's message says"
}

extension Table.ColumnType {
  /// The unit of a column that says none.
  var usualUnit: ColumnUnit {
    switch self {
    case .text, .flag, .date, .instant, .real: .none
    case .integer, .sum: .count
    case .amount: .currency
    }
  }
}
