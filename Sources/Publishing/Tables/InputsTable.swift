import Analysis
import Domain
import Engine

extension ResultTable {
  /// `inputs.csv`: where every row of every input file went, one row a reason.
  static var inputs: ResultTable {
    ResultTable(
      "inputs", of: { $0.accounts.flatMap(InputLine.lines) },
      columns: [
        .keyText("input", \.account.input),
        .keyText("file", \.account.file),
        .integer("bytes", \.account.bytes),
        .text("crc32") { NumberText.checksum($0.account.crc32) },
        .integer("rows", \.account.rows),
        .integer("used", \.account.used),
        .keyText("reason") { $0.reason?.rawValue ?? "" },
        .integer("rows_set_aside", \.rowsSetAside),
      ])
  }
}

/// A file and one reason rows of it were set aside for; a file all of whose rows were used has no reason.
private struct InputLine {
  var account: FileAccount
  var reason: SetAsideReason?
  var rowsSetAside: Int

  static func lines(of account: FileAccount) -> [InputLine] {
    guard !account.setAside.isEmpty else { return [InputLine(account: account, reason: nil, rowsSetAside: 0)] }
    return account.setAside.map { InputLine(account: account, reason: $0.key, rowsSetAside: $0.value) }
  }
}
