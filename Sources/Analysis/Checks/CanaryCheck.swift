import Domain
import Jobs
import Measurement

/// `canary`: do the files themselves say what was kept of them on earlier nights?
struct CanaryCheck: HealthCheck {
  let terms = CheckTerms(
    "canary",
    "on nights that `canary:` names, tables that come out otherwise where every file is read anew: any fails")

  /// One row where there is a difference; none where there is none, so that such a night's checks are those of any other.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let tables = inputs.measurement.differingTables
    guard !tables.isEmpty else { return [] }
    return [
      Check(
        name: name, status: .fail, observed: Double(tables.count), expected: 0,
        message:
          "What state: has kept of the files does not say what they say: \(Phrase.list(tables)) came out otherwise. "
          + "Tonight's figures are those of the files, all read anew. Those of earlier nights may be wrong: run them again, the "
          + "first with --fresh, and tell whoever maintains offerlift.")
    ]
  }
}
