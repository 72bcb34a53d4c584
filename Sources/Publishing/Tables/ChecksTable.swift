import Analysis
import Domain
import Engine
import Jobs

/// `checks.csv`: whether the figures may be believed.
///
/// `offering_id` is empty for checks of the run as a whole. `subject` (a column of ours, the last) says what
/// within the offering a check is about, so that its rows have a key: `segment country=US`.
enum ChecksTable {
  static func table(of night: NightResult) -> Table {
    table(of: night.checks)
  }

  /// The table of checks that need not come from a run.
  static func table(of checks: [Check]) -> Table {
    Table(
      "checks", of: checks,
      columns: [
        .keyText("offering_id") { $0.offering?.text ?? "" },
        .keyText("check", \.name),
        .text("status", \.status.rawValue),
        .real("observed", \.observed),
        .real("expected", \.expected),
        .real("p_value", \.pValue),
        .text("message") { PrintableText.sentence($0.message) },
        .keyText("subject", \.subject),
      ])
  }
}
