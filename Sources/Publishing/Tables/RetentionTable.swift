import Analysis

/// `retention.csv`: the survival curves, a row for each day on which someone ended or was last seen.
enum RetentionTable {
  static func table(of night: NightResult) -> Table {
    Table("retention", of: night.retention, columns: columns(time: "day"))
  }

  /// A curve's columns, with the name of what its time is counted in.
  static func columns(time: String) -> [TableColumn<RetentionRow>] {
    [
      .key("offering_id", \.key.offering),
      .key("test_group_id", \.key.group),
      .key("metric", \.key.metric),
      .keyInteger(time, \.point.time),
      .integer("at_risk", \.point.atRisk),
      .integer("ended", \.point.ended),
      .integer("censored", \.point.censored),
      .real("survival", \.point.survival),
      .real("ci_low", \.point.interval?.low),
      .real("ci_high", \.point.interval?.high),
    ]
  }
}

/// `retention_renewals.csv`: the same users by the renewals that were due, grace and all.
///
/// `ended` missed that renewal; `censored` paid it and have the next one still before them. At 0 are those whose first
/// renewal is not due yet.
enum RenewalsTable {
  static func table(of night: NightResult) -> Table {
    Table("retention_renewals", of: night.renewals, columns: RetentionTable.columns(time: "renewals_due"))
  }
}
