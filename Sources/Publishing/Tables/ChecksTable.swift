import Analysis
import Domain
import Measurement

extension ResultTable {
  /// `checks.csv`: whether the figures may be believed.
  ///
  /// `offering_id` is empty for checks of the run as a whole. `subject` (a column of ours, the last) says what
  /// within the offering a check is about, so that its rows have a key: `segment country=US`.
  static var checks: ResultTable {
    ResultTable("checks", "Whether the figures may be believed.", of: \.checks, columns: checkColumns)
  }

  fileprivate static var checkColumns: [TableColumn<Check>] {
    [
      .keyText("offering_id", "the offering; empty for checks of the run as a whole") { $0.offering?.text ?? "" },
      .keyText("check", "the check's name", \.name),
      .text("status", "pass, warn or fail", \.status.rawValue),
      .real("observed", "what was found", \.observed),
      .real("expected", "what it was held against", \.expected),
      .real("p_value", "p of the check's own test, where it has one", \.pValue),
      .text("message", "the finding in a sentence") { PrintableText.sentence($0.message) },
      .keyText("subject", "what within the offering it is about: `segment country=US`", \.subject),
    ]
  }
}

extension Table {
  /// The table of checks that come from no run: `analyze` has some of its own.
  static func checks(_ checks: [Check]) -> Table {
    Table(ResultTable.checks.name, of: checks, columns: ResultTable.checkColumns)
  }
}
