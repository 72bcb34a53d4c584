import Domain
import Jobs
import Measurement
import Statistics

/// What is to be known of an offering whose groups sell at different prices, beside its metrics.
struct PriceTest {
  /// A row for each group that sells at other prices than the baseline, and the baseline's.
  let response: [PriceResponseRow]
  /// Of each group but the baseline.
  let parts: [RevenuePartRow]

  /// Nil where the groups' prices do not differ, or nobody of the baseline is measured.
  init?(_ offering: OfferingMeasurement, baseline: Identifier, job: Job, settings: AnalysisSettings, isUntrusted: Bool)
  {
    guard offering.priceDifference != nil, let own = offering.groups.first(where: { $0.id == baseline }) else {
      return nil
    }
    // A group that sells what the baseline sells at the same prices is no price test, whatever its users chose.
    let apart = offering.groups.filter { $0.id != baseline && offering.priceDifference(of: $0.id) != nil }
    guard !apart.isEmpty else { return nil }
    let response = PriceResponse(
      sold: offering.groups.filter { $0.id == baseline || apart.map(\.id).contains($0.id) }
        .map { SoldPrices($0, unitCost: job.unitCost) }, baseline: baseline,
      settings: settings, isUntrusted: isUntrusted)
    self.response = response.rows(of: offering.id)
    parts = apart.flatMap { group in
      RevenueParts(
        own.tables.payments, group.tables.payments, options: response.options, shareOfAlpha: response.shareOfAlpha
      ).rows(offering: offering.id, group: group.id)
    }
  }
}
