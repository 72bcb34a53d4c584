import Domain

/// A rejected row as the line that it becomes in `rejects.csv.gz`, but with a number for its file in place of the name:
///
///     0,17,2048,bad_price,"price ""12,x"" is not a plain decimal number","{""userId"":""u1""…
///
/// Nothing in a cell ends a line: what did is written out.
enum RejectLine {
  static let end = UInt8(ascii: "\n")
  private static let comma = UInt8(ascii: ",")

  /// Adds the line of a reject, its end included.
  static func append(_ reject: Reject, to bytes: inout [UInt8]) {
    CSVText.append(reject.account, to: &bytes)
    bytes.append(comma)
    CSVText.append(reject.line, to: &bytes)
    bytes.append(comma)
    CSVText.append(Int(reject.byteOffset), to: &bytes)
    bytes.append(comma)
    bytes += reject.reason.rawValue.utf8
    bytes.append(comma)
    CSVText.append(PrintableText.sentence(reject.detail), to: &bytes)
    bytes.append(comma)
    if PrintableText.isPlain(reject.excerpt) {
      CSVText.append(reject.excerpt, to: &bytes)
    } else {
      CSVText.append(PrintableText.escaped(bytes: reject.excerpt), to: &bytes)
    }
    bytes.append(end)
  }

  /// Whether one line comes before another of a row that stands at the same place: what the rows are decides.
  static func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    guard let left = Reject(line: left.dropLast()), let right = Reject(line: right.dropLast()) else { return false }
    return (left.reason, left.detail) < (right.reason, right.detail)
  }

  /// Reads the numbers that a line begins with.
  ///
  /// - Returns: where the row stands, and where in `bytes` the cell behind its file's number begins.
  static func position(ofLineAt start: Int, in bytes: [UInt8]) -> (position: RowPosition, behindFile: Int) {
    var next = start
    let file = number(&next, bytes)
    let behindFile = next
    let line = number(&next, bytes)
    return (RowPosition(file: file, byteOffset: number(&next, bytes), line: line), behindFile)
  }

  private static func number(_ next: inout Int, _ bytes: [UInt8]) -> Int {
    var number = 0
    while bytes[next] != comma {
      number = number * 10 + Int(bytes[next] - UInt8(ascii: "0"))
      next += 1
    }
    next += 1
    return number
  }

  /// What a line begins with, however its last cells are: where the row stands, and why it was rejected.
  ///
  /// - Returns: nil where it is no line of a reject.
  static func head(of line: ArraySlice<UInt8>) -> (position: RowPosition, reason: SetAsideReason)? {
    // As they stand: whoever looks for a line's place reads them without a look at what they are.
    let cells = line.split(separator: comma, maxSplits: 4, omittingEmptySubsequences: false)
    guard cells.count == 5, let file = number(cells[0]), let position = number(cells[1]),
      let byteOffset = number(cells[2]),
      let reason = SetAsideReason(rawValue: String(decoding: cells[3], as: UTF8.self)), reason.isReject
    else { return nil }
    return (RowPosition(file: file, byteOffset: byteOffset, line: position), reason)
  }

  private static func number(_ cell: ArraySlice<UInt8>) -> Int? {
    guard cell.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(String(decoding: cell, as: UTF8.self))
  }
}

extension Reject {
  /// The reject that a line tells, which has no end; what was written out or cut short in it stays so.
  ///
  /// - Returns: nil where it is no line of a reject.
  init?(line: ArraySlice<UInt8>) {
    let cells = CSVText.cells(of: line)
    guard cells.count == 6, let (position, reason) = RejectLine.head(of: line) else { return nil }
    self.init(
      account: position.file, line: position.line, byteOffset: Int64(position.byteOffset), reason: reason,
      detail: Self.text(cells[4]), excerpt: Array(Self.text(cells[5]).utf8))
  }

  private static func text(_ cell: [UInt8]) -> String {
    FormulaGuard.unguarded(String(decoding: cell, as: UTF8.self))
  }
}
