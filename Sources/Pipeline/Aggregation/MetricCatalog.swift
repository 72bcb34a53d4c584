/// Every metric a job can ask for.
enum MetricCatalog {
  static let all: [MetricDefinition] = [
    .exposure, .initialConversion, .payingConversion, .subscriptionConversion, .oneTimeConversion,
    .trialStartRate, .revenueGross, .revenueNet, .proceeds, .charges, .revenueGrossPerPayer,
    .revenueNetPerPayer, .proceedsPerPayer, .refundRate, .eventRate, .eventCount, .countRatio,
    .trialToPaid, .oneTimeToSubscription, .renewalRate, .involuntaryChurn, .recoveryRate, .defaultUptake,
    .activeSubscription, .setToRenew, .mrr, .creditsGranted, .creditsBalance, .tierUp, .retention,
  ]

  /// A quantile is taken of another metric, so it has no definition of its own.
  static let quantileName = "quantile"

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The metric of that name; nil where there is none.
  static func metric(named name: String) -> MetricDefinition? { byName[name] }
}
