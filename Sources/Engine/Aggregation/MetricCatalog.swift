import Domain
import Jobs

/// Every metric a job can ask for.
package enum MetricCatalog {
  package static let all: [MetricDefinition] = [
    .exposure, .initialConversion, .payingConversion, .subscriptionConversion, .oneTimeConversion,
    .trialStartRate, .revenueGross, .revenueNet, .proceeds, .charges, .revenueGrossPerPayer,
    .revenueNetPerPayer, .proceedsPerPayer, .refundRate, .eventRate, .eventCount, .countRatio,
    .trialToPaid, .oneTimeToSubscription, .renewalRate, .involuntaryChurn, .recoveryRate, .defaultUptake,
    .activeSubscription, .setToRenew, .mrr, .committed, .creditsGranted, .creditsBalance, .tierUp, .retention,
  ]

  /// The words of these for the reader of job files.
  package static let vocabulary = MetricVocabulary(all.map(\.terms))

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The metric of that name; nil where there is none.
  package static func metric(named name: String) -> MetricDefinition? { byName[name] }
}
