import Analysis
import Domain
import Engine

/// `inputs.csv`: where every row of every input file went, one row a reason.
enum InputsTable {
  static func table(of night: NightResult) -> Table {
    Table("inputs", of: night.accounts.flatMap(lines), columns: columns)
  }

  /// A file and one reason rows of it were set aside for; a file all of whose rows were used has no reason.
  private struct Line {
    var account: FileAccount
    var reason: SetAsideReason?
    var rowsSetAside: Int
  }

  private static func lines(of account: FileAccount) -> [Line] {
    guard !account.setAside.isEmpty else { return [Line(account: account, reason: nil, rowsSetAside: 0)] }
    return account.setAside.map { Line(account: account, reason: $0.key, rowsSetAside: $0.value) }
  }

  private static var columns: [TableColumn<Line>] {
    [
      .keyText("input", \.account.input),
      .keyText("file", \.account.file),
      .integer("bytes", \.account.bytes),
      .text("crc32") { NumberText.checksum($0.account.crc32) },
      .integer("rows", \.account.rows),
      .integer("used", \.account.used),
      .keyText("reason") { $0.reason?.rawValue ?? "" },
      .integer("rows_set_aside", \.rowsSetAside),
    ]
  }
}
