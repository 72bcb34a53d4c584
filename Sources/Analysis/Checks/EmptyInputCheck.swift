import Domain
import Engine
import Jobs

/// `empty_input`: is there anything to measure at all?
///
/// Without a row nobody bought anything, in every group alike, and no comparison would notice.
enum EmptyInputCheck {
  /// One row for each input that holds nothing that counts; none where all do.
  static func checks(of measurement: Measurement, job: Job) -> [Check] {
    var checks: [Check] = []
    if !job.assignments.isEmpty, rows(measurement, "assignments") == 0 {
      checks.append(
        check("assignments", "The assignments hold no row, so nobody is measured. Is the export complete?"))
    }
    if !job.purchases.isEmpty, measurement.freshness.lastEvent == nil {
      let rows = rows(measurement, "purchases")
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

  private static func rows(_ measurement: Measurement, _ input: String) -> Int {
    measurement.accounts.filter { $0.input.hasPrefix(input) }.reduce(0) { $0 + $1.rows }
  }

  private static func check(_ input: String, _ message: String) -> Check {
    Check(name: "empty_input", subject: "input \(input)", status: .fail, observed: 0, message: message)
  }
}
