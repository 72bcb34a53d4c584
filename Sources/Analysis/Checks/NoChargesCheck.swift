import Domain
import Jobs
import Measurement

/// `no_charges`: do metrics of money rest on any charge at all?
///
/// A server's log says who was activated and never what was paid. Without the store's own log every group stands at 0,
/// which is no result.
struct NoChargesCheck: HealthCheck {
  let terms = CheckTerms(
    "no_charges",
    "metrics are made of charges, and no row tells one: warns; fails where no input could and such a metric decides")

  /// One row where no charge was read and metrics are made of them; none otherwise.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let resting = inputs.job.metrics.filter(\.isOfCharges)
    guard !resting.isEmpty, !inputs.job.purchases.isEmpty, inputs.measurement.userIDs.purchases == 0,
      inputs.measurement.freshness.lastEvent != nil
    else { return [] }
    let silent = inputs.job.purchases.allSatisfy { !$0.format.reportsCharges }
    let speaking = LeadMetrics.speaking(inputs.job.metrics)
    let nouns = Phrase.list(resting.map(\.id), most: Self.shownMetrics)
    let decides = resting.contains { speaking.contains(Identifier($0.id)) }
    return [
      Check(
        name: name, subject: "input purchases", status: silent && decides ? .fail : .warn, observed: 0,
        message: "\(silent ? Self.silence(inputs.job) : "No row of the purchase logs is a charge"): \(nouns) "
          + "\(resting.count == 1 ? "measures" : "measure") nothing. \(Self.remedy(inputs.job))")
    ]
  }

  /// More metrics are counted.
  private static let shownMetrics = 4

  private static func silence(_ job: Job) -> String {
    let formats = Set(job.purchases.map(\.format.name)).sorted()
    return "No input of this job tells charges (\(formats.joined(separator: ", ")))"
  }

  private static func remedy(_ job: Job) -> String {
    let positions = Set(job.purchases.compactMap(\.format.moneyElsewhere)).sorted()
    let listed = positions.joined(separator: "; ")
    let reported = positions.isEmpty ? "the log that tells what was paid" : "what tells them: \(listed)"
    return "Add \(reported). Without that, measure events by event_rate."
  }
}
