import Domain
import Jobs
import Measurement

/// `empty_input`: is there anything to measure at all?
///
/// Without a row nobody bought anything, in every group alike, and no comparison would notice.
struct EmptyInputCheck: HealthCheck {
  let terms = CheckTerms(
    "empty_input", "the assignments hold no row, or the logs no event before the cut-off that counts: fails")

  /// One row for each input that holds nothing that counts; none where all do.
  func checks(of inputs: CheckedInputs) -> [Check] {
    var checks: [Check] = []
    if !inputs.job.assignments.isEmpty, inputs.rows(of: "assignments") == 0 {
      checks.append(
        check("assignments", "The assignments hold no row, so nobody is measured. Is the export complete?"))
    }
    if !inputs.job.purchases.isEmpty, inputs.measurement.freshness.lastEvent == nil {
      let rows = inputs.rows(of: "purchases")
      let why =
        rows == 0
        ? "The purchase logs hold no row"
        : "None of the \(Phrase.count(rows, "row")) of the purchase logs is an event before the cut-off that counts"
      checks.append(
        check(
          "purchases", "\(why), so nobody seems to have bought anything. Are all files there, and of the right time?"))
    }
    return checks
  }

  private func check(_ input: String, _ message: String) -> Check {
    Check(name: name, subject: "input \(input)", status: .fail, observed: 0, message: message)
  }
}
