import Domain

/// One block of assignments, opened.
///
/// It points into the block's bytes and lives as long as those.
struct AssignmentBlock {
  private let count: Int
  private let columns: [ColumnReader]
  private let offerings: [UInt32]
  private let groups: [UInt32]
  private let values: [[UInt32]]
  private let users: [Text]
  /// Where those lie that are written out.
  private let arena = TextArena()

  /// - Parameters:
  ///   - body: what `Block` has in its frame.
  ///   - attributes: the names of the attributes that rows are to have.
  ///   - values: takes the names of their values.
  /// - Throws: `BlockFault` where the block does not hold together, or has other attributes.
  init(_ body: Text, names: EventNames, attributes: [String], values: [Interner]) throws(BlockFault) {
    var reader = ColumnReader(body)
    count = try reader.length()
    var lengths: [Int] = []
    for _ in AssignmentColumn.allCases { lengths.append(try reader.length()) }
    var columns: [ColumnReader] = []
    for length in lengths { columns.append(ColumnReader(try reader.bytes(length))) }
    guard reader.isAtEnd else { throw .damaged }
    self.columns = columns
    var dictionary = columns[AssignmentColumn.names.rawValue]
    var reported: [String] = []
    for _ in 0..<(try dictionary.length()) { reported.append(try dictionary.string()) }
    guard reported == attributes else { throw .misplaced }
    offerings = try Self.codes(&dictionary, in: names.offerings)
    groups = try Self.codes(&dictionary, in: names.groups)
    var codes: [[UInt32]] = []
    for interner in values { codes.append(try Self.codes(&dictionary, in: interner)) }
    self.values = codes
    guard dictionary.isAtEnd else { throw .damaged }
    users = try BlockUsers.read(
      lengths: columns[AssignmentColumn.userLengths.rawValue], bytes: columns[AssignmentColumn.userBytes.rawValue],
      into: arena)
  }

  private subscript(column: AssignmentColumn) -> ColumnReader { columns[column.rawValue] }

  private static func codes(_ column: inout ColumnReader, in names: Interner) throws(BlockFault) -> [UInt32] {
    var codes: [UInt32] = []
    for _ in 0..<(try column.length()) {
      guard let code = names.number(of: try column.text()) else { throw .misplaced }
      codes.append(code)
    }
    return codes
  }

  /// Calls `body` with every row, in the order they were added, and then `end`, until which the rows' texts live.
  ///
  /// - Throws: `BlockFault`; what has been handed on by then is to be forgotten.
  func forEach(_ body: (AssignmentRow) -> Void, end: () -> Void = {}) throws(BlockFault) {
    defer { withExtendedLifetime(arena) { end() } }
    var (user, offering, group) = (self[.user], self[.offering], self[.group])
    var (times, file, value) = (self[.time], self[.file], self[.values])
    var row = AssignmentRow(
      user: .empty, offering: 0, group: 0, time: 0, file: 0, values: values.map { _ in Interner.none })
    for _ in 0..<count {
      row.user = users[try user.position(below: users.count)]
      row.offering = try Self.code(&offering, offerings)
      row.group = try Self.code(&group, groups)
      guard row.offering != Interner.none, row.group != Interner.none else { throw .damaged }
      row.time = try times.time(after: row.time)
      // Another number is added to it.
      row.file = UInt32(try file.position(below: Int(Int32.max)))
      for attribute in values.indices { row.values[attribute] = try Self.code(&value, values[attribute]) }
      body(row)
    }
    guard user.isAtEnd, offering.isAtEnd, group.isAtEnd, times.isAtEnd, file.isAtEnd, value.isAtEnd else {
      throw .damaged
    }
  }

  private static func code(_ column: inout ColumnReader, _ codes: [UInt32]) throws(BlockFault) -> UInt32 {
    let number = try column.position(below: codes.count + 1)
    return number == 0 ? Interner.none : codes[number - 1]
  }
}
