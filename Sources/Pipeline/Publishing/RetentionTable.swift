/// `retention.csv`: the survival curves, a row for each day on which someone ended or was last seen.
enum RetentionTable {
  static func table(of night: NightResult) -> Table { Table("retention", of: night.retention, columns: columns) }

  private static var columns: [TableColumn<RetentionRow>] {
    [
      .key("offering_id", \.key.offering),
      .key("test_group_id", \.key.group),
      .key("metric", \.key.metric),
      .keyInteger("day", \.point.time),
      .integer("at_risk", \.point.atRisk),
      .integer("ended", \.point.ended),
      .integer("censored", \.point.censored),
      .real("survival", \.point.survival),
      .real("ci_low", \.point.interval?.low),
      .real("ci_high", \.point.interval?.high),
    ]
  }
}
