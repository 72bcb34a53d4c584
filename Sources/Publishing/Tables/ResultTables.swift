import Analysis

/// The tables of a night.
enum ResultTables {
  /// In the order a reader meets them.
  ///
  /// A new table is one file that declares it and one line here; every exporter picks it up.
  static let all: [any ResultTable] = [
    VerdictsTable(),
    MetricsTable(),
    GroupMetricsTable(),
    ComparisonsTable(),
    DailyTable(),
    PlansTable(),
    OffersTable(),
    CopyTable(),
    ArrivalsTable(),
    MoneyTable(),
    PriceResponseTable(),
    RevenuePartsTable(),
    ChangesTable(),
    RestatedTable(),
    ChangedFilesTable(),
    ProductsTable(),
    ChargesByTable(),
    FunnelsTable(),
    FunnelSplitsTable(),
    StatesTable(),
    RetentionTable.byDay,
    RetentionTable.byRenewal,
    FailuresTable(),
    TrialDaysTable(),
    OutsideTable(),
    DisplayPricesTable(),
    SufficientStatisticsTable(),
    ChecksTable(),
    InputsTable(),
  ]

  /// All of a night.
  static func tables(of night: NightResult) -> [Table] { all.map { $0.table(of: night) } }
}
