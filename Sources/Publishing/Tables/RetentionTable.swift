import Analysis

extension ResultTable {
  /// `retention.csv`: the survival curves, a row for each day on which someone ended or was last seen.
  static var retention: ResultTable { ResultTable("retention", of: \.retention, columns: curve(time: "day")) }

  /// `retention_renewals.csv`: the same users by the renewals that were due, grace and all.
  ///
  /// `ended` missed that renewal; `censored` paid it and have the next one still before them. At 0 are those whose
  /// first renewal is not due yet.
  static var renewals: ResultTable {
    ResultTable("retention_renewals", of: \.renewals, columns: curve(time: "renewals_due"))
  }

  /// A curve's columns, with the name of what its time is counted in.
  private static func curve(time: String) -> [TableColumn<RetentionRow>] {
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
