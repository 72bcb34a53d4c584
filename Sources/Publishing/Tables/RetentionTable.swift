import Analysis

extension ResultTable {
  /// `retention.csv`: the survival curves, a row for each day on which someone ended or was last seen.
  static var retention: ResultTable {
    ResultTable(
      "retention", "How long those who subscribe stay, by days since they first paid.", of: \.retention,
      columns: curve(time: "day", "days since the first paid charge"))
  }

  /// `retention_renewals.csv`: the same users by the renewals that were due, grace and all.
  ///
  /// `ended` missed that renewal; `censored` paid it and have the next one still before them. At 0 are those whose
  /// first renewal is not due yet.
  static var renewals: ResultTable {
    ResultTable(
      "retention_renewals", "The same users by the renewals that were due.", of: \.renewals,
      columns: curve(time: "renewals_due", "renewals that were due, grace and all"))
  }

  /// A curve's columns, with the name of what its time is counted in.
  private static func curve(time: String, _ meaning: String) -> [TableColumn<RetentionRow>] {
    [
      .offering(\.key.offering),
      .group(\.key.group),
      .metric(\.key.metric),
      .keyInteger(time, meaning, \.point.time),
      .integer("at_risk", "users still subscribed then, of whom this time has been seen", \.point.atRisk),
      .integer("ended", "those who ended then", \.point.ended),
      .integer("censored", "those last seen then, still subscribed", \.point.censored),
      .real("survival", "share still subscribed after it", \.point.survival),
      .real("ci_low", "lower end of its interval", \.point.interval?.low),
      .real("ci_high", "upper end of its interval", \.point.interval?.high),
    ]
  }
}
