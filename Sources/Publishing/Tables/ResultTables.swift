import Analysis

extension ResultTable {
  /// The tables of a night, in the order a reader meets them.
  ///
  /// A new table is one file that makes it and one line here; every exporter picks it up.
  static var all: [ResultTable] {
    [
      .verdicts,
      .groupMetrics,
      .comparisons,
      .daily,
      .plans,
      .offers,
      .copy,
      .arrivals,
      .money,
      .priceResponse,
      .revenueParts,
      .changes,
      .products,
      .chargesBy,
      .funnels,
      .funnelSplits,
      .states,
      .retention,
      .renewals,
      .failures,
      .trialDays,
      .outside,
      .displayPrices,
      .sufficientStatistics,
      .checks,
      .inputs,
    ]
  }

  /// All tables of a night.
  static func tables(of night: NightResult) -> [Table] { all.map { $0.table(of: night) } }
}
