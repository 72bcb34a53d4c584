import Domain
import Jobs
import Measurement

/// `no_offering`, `auth_invalid`, `server_error`: how the app's calls for an offering went, whoever called.
struct OfferingCallCheck: HealthCheck {
  static let all: [any HealthCheck] = [
    OfferingCallCheck(
      .noOffering, warnsFrom: .infinity, "came back without one: no test was active for the caller"),
    OfferingCallCheck(.authInvalid, warnsFrom: 0.05, "were refused for their token; the app has to call again"),
    OfferingCallCheck(
      .serverError, warnsFrom: 0.01, "failed on the server; the app showed what it shows without an offering"),
  ]

  let terms: CheckTerms
  let outcome: APIEventType
  /// What such calls are, and what the app makes of them.
  let result: String

  init(_ outcome: APIEventType, warnsFrom: Double, _ result: String) {
    self.outcome = outcome
    self.result = result
    terms = CheckTerms(outcome.rawValue, "calls for an offering that \(result)", warnsFrom: warnsFrom)
  }

  /// One row; none where no log has such calls.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let calls = inputs.measurement.offeringCalls
    guard calls.total > 0 else { return [] }
    let share = Double(calls.count(outcome)) / Double(calls.total)
    return [
      row(
        count: calls.count(outcome), of: calls.total, job: inputs.job,
        message:
          "\(Phrase.count(calls.count(outcome))) of \(Phrase.count(calls.total, "call")) for an offering "
          + "(\(Phrase.percent(share))) \(result).")
    ]
  }
}
