import Domain

/// Rows of charges and refunds that are rejected because no exchange rate is known, as rejects are told, by where they stand.
struct UnpricedRows {
  /// Without the number of the file that a line begins with.
  private var lines: [RejectLine.Place: [UInt8]] = [:]

  /// A night with more of them is not kept.
  static let most = 1 << 16

  var count: Int { lines.count }

  /// - Parameter numbers: of those that are rejects, among all that may be.
  /// - Throws: as `UnpricedRejects.forEach`.
  init(_ numbers: [UInt32], of unpriced: UnpricedRejects) throws {
    try unpriced.forEach(of: numbers) { _, place, line in
      let bytes = Array(line)
      lines[place] = Array(bytes[RejectLine.place(ofLineAt: 0, in: bytes).behindFile...])
    }
  }

  /// Puts what some users have of them now in place of what they had before.
  mutating func exchange(_ old: UnpricedRows, for new: UnpricedRows) throws(Inseparable) {
    for place in old.lines.keys { guard lines.removeValue(forKey: place) != nil else { throw Inseparable() } }
    for (place, line) in new.lines {
      guard lines.updateValue(line, forKey: place) == nil else { throw Inseparable() }
    }
  }

  /// The same of a log whose files have other numbers.
  ///
  /// - Parameter numbers: by number so far the one from here on.
  func renumbered(_ numbers: [Int]) -> UnpricedRows {
    var rows = self
    rows.lines = [:]
    for (place, line) in lines {
      rows.lines[.init(file: numbers[place.file], byteOffset: place.byteOffset, line: place.line)] = line
    }
    return rows
  }

  /// Rejects them in the files' accounts.
  func book(in ledger: inout LogLedger) {
    for (place, line) in lines { ledger.reject(Self.whole(line, place.file)[...], at: place) }
  }

  private static func whole(_ line: some Sequence<UInt8>, _ file: Int) -> [UInt8] {
    var whole: [UInt8] = []
    CSVText.append(file, to: &whole)
    return whole + [UInt8(ascii: ",")] + line
  }

  // MARK: - As a column

  func write(to column: ColumnWriter) {
    column.append(lines.count)
    for (place, line) in lines.sorted(by: { $0.key < $1.key }) {
      column.append(place.file)
      column.append(line)
    }
  }

  /// - Parameter files: how many files the log has.
  /// - Throws: `BlockFault` where the column holds no such rows.
  init(_ column: inout ColumnReader, files: Int) throws(BlockFault) {
    for _ in 0..<(try column.length()) {
      let file = try column.place(below: files)
      let line = Array(try column.text())
      let whole = Self.whole(line, file)
      guard line.firstIndex(of: RejectLine.end) == line.count - 1, Reject(line: whole.dropLast()) != nil,
        lines.updateValue(line, forKey: RejectLine.place(ofLineAt: 0, in: whole).place) == nil
      else { throw .damaged }
    }
  }
}
