import Analysis
import Domain
import Measurement

extension ResultTable {
  /// `inputs.csv`: where every row of every input file went, one row a reason.
  static var inputs: ResultTable {
    ResultTable(
      "inputs", "Where every row of every input file went, one row a reason.",
      of: { $0.accounts.flatMap(InputLine.lines) },
      columns: [
        .keyText("input", "the input's name in the job", \.account.input),
        .keyText("file", "the file, relative to the job file", \.account.file),
        .integer("bytes", "its size on the disk", \.account.bytes),
        .text("crc32", "checksum of its bytes, in hexadecimal") { NumberText.checksum($0.account.crc32) },
        .integer("rows", "rows read from it", \.account.rows),
        .integer("used", "rows used", \.account.used),
        .keyText("reason", "why rows were set aside; empty where all were used") { $0.reason?.rawValue ?? "" },
        .integer("rows_set_aside", "how many, for this reason", \.rowsSetAside),
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
