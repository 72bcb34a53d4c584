import Analysis
import Domain
import Engine

extension ResultTable {
  /// `checks.csv`: whether the figures may be believed.
  ///
  /// `offering_id` is empty for checks of the run as a whole. `subject` (a column of ours, the last) says what
  /// within the offering a check is about, so that its rows have a key: `segment country=US`.
  static var checks: ResultTable { ResultTable("checks", of: \.checks, columns: checkColumns) }

  fileprivate static var checkColumns: [TableColumn<Check>] {
    [
      .keyText("offering_id") { $0.offering?.text ?? "" },
      .keyText("check", \.name),
      .text("status", \.status.rawValue),
      .real("observed", \.observed),
      .real("expected", \.expected),
      .real("p_value", \.pValue),
      .text("message") { PrintableText.sentence($0.message) },
      .keyText("subject", \.subject),
    ]
  }
}

extension Table {
  /// The table of checks that come from no run: `analyze` has some of its own.
  static func checks(_ checks: [Check]) -> Table {
    Table(ResultTable.checks.name, of: checks, columns: ResultTable.checkColumns)
  }
}
