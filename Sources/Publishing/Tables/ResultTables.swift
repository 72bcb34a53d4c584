import Analysis

/// The tables of a night, in the order a reader meets them.
///
/// A new table is one file that makes it and one line here; every exporter picks it up.
enum ResultTables {
  static func tables(of night: NightResult) -> [Table] {
    [
      GroupMetricsTable.table(of: night),
      ComparisonsTable.table(of: night),
      DailyTable.table(of: night),
      ProductsTable.table(of: night),
      ChargesByTable.table(of: night),
      FunnelsTable.table(of: night),
      FunnelSplitsTable.table(of: night),
      StatesTable.table(of: night),
      RetentionTable.table(of: night),
      RenewalsTable.table(of: night),
      FailuresTable.table(of: night),
      TrialDaysTable.table(of: night),
      OutsideTable.table(of: night),
      DisplayPricesTable.table(of: night),
      SufficientStatisticsTable.table(of: night),
      ChecksTable.table(of: night),
      InputsTable.table(of: night),
    ]
  }
}
