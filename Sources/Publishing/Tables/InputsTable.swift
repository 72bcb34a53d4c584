import Analysis
import Domain
import Measurement

/// `inputs.csv`: where every row of every input file went, one row a reason.
struct InputsTable: ResultTable {
  typealias Record = InputLine
  let name = "inputs"
  let meaning = "Where every row of every input file went, one row a reason."
  let records = Records<Record>.held({ $0.accounts.flatMap(InputLine.lines) })

  let input = Text("input", "the input's name in the job", isKey: true, \.account.input)
  let file = Text("file", "the file, relative to the job file", isKey: true, \.account.file)
  let bytes = Integer("bytes", "its size on the disk", in: .bytes, \.account.bytes)
  let crc32 = Text("crc32", "checksum of its bytes, in hexadecimal") { NumberText.checksum($0.account.crc32) }
  let rows = Integer("rows", "rows read from it", \.account.rows)
  let used = Integer("used", "rows used", \.account.used)
  let reason = Text("reason", "why rows were set aside; empty where all were used", isKey: true) {
    $0.reason?.rawValue ?? ""
  }
  let rowsSetAside = Integer("rows_set_aside", "how many, for this reason", \.rowsSetAside)
}

/// A file and one reason rows of it were set aside for; a file all of whose rows were used has no reason.
struct InputLine {
  var account: FileAccount
  var reason: SetAsideReason?
  var rowsSetAside: Int

  static func lines(of account: FileAccount) -> [InputLine] {
    guard !account.setAside.isEmpty else { return [InputLine(account: account, reason: nil, rowsSetAside: 0)] }
    return account.setAside.map { InputLine(account: account, reason: $0.key, rowsSetAside: $0.value) }
  }
}
