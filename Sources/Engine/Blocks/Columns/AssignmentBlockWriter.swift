import Domain

/// The columns of a block of assignments, in the order they lie in it.
enum AssignmentColumn: Int, CaseIterable {
  // Dictionaries.
  case names, userLengths, userBytes
  // Of every row.
  case user, offering, group, time, file, values
}

/// Packs assignment rows into blocks. For one thread at a time.
final class AssignmentBlockWriter {
  private let names: EventNames
  /// Names of the rows' attributes, and those of their values.
  private let attributes: [String]
  private let valueNames: [Interner]
  private let mostRows: Int
  private let columns = AssignmentColumn.allCases.map { _ in ColumnWriter() }
  private var offerings = BlockDictionary()
  private var groups = BlockDictionary()
  private var values: [BlockDictionary]
  private let users: ByteTable
  private var count = 0
  /// When the row before was.
  private var time: Int64 = 0
  /// How many bytes the names take.
  private var nameBytes = 0

  /// - Parameter mostRows: how many rows a block takes.
  init(names: EventNames, attributes: [String], values: [Interner], mostRows: Int) {
    self.names = names
    self.attributes = attributes
    valueNames = values
    self.mostRows = mostRows
    self.values = attributes.map { _ in BlockDictionary() }
    users = ByteTable(expected: mostRows, bytesEach: 40)
  }

  var isEmpty: Bool { count == 0 }

  /// The block at hand should be finished.
  var isFull: Bool {
    count >= mostRows || self[.userBytes].count + nameBytes >= EventBlockWriter.mostBytes
  }

  private subscript(column: AssignmentColumn) -> ColumnWriter { columns[column.rawValue] }

  /// Adds a row.
  ///
  /// - Parameter hash: of its user's id.
  func append(_ row: AssignmentRow, hash: UInt64) {
    append(row, hash: hash, file: row.file, values: valueNames.indices)
  }

  /// Adds a row as if it came from a file of that number.
  ///
  /// - Parameters:
  ///   - hash: of its user's id.
  ///   - positions: by attribute, where its value stands among the row's.
  func append(_ row: AssignmentRow, hash: UInt64, file: UInt32, values positions: some Collection<Int>) {
    let known = users.count
    let user = users.insert(row.user, hash: hash)
    if user == known {
      BlockUsers.append(row.user, lengths: self[.userLengths], bytes: self[.userBytes])
    }
    self[.user].append(user)
    let (offeringNames, groupNames) = (names.offerings, names.groups)
    self[.offering].append(
      offerings.number(of: row.offering, adding: &nameBytes) { offeringNames.known(row.offering) })
    self[.group].append(groups.number(of: row.group, adding: &nameBytes) { groupNames.known(row.group) })
    self[.time].append(signed: row.time &- time)
    time = row.time
    self[.file].append(file)
    for (attribute, position) in positions.enumerated() {
      let (names, value) = (valueNames[attribute], row.values[position])
      self[.values].append(values[attribute].number(of: value, adding: &nameBytes) { names.known(value) })
    }
    count += 1
  }

  /// The block of all that was added; what is added from here on goes into the next one.
  ///
  /// - Returns: nil where that is too long for a block.
  func finish() -> [UInt8]? {
    self[.names].append(attributes.count)
    for attribute in attributes { self[.names].append(attribute) }
    for dictionary in [offerings, groups] + values { dictionary.write(to: self[.names]) }
    let lengths = ColumnWriter()
    lengths.append(count)
    for column in columns { lengths.append(column.count) }
    let block = Block.frame(.assignments, [lengths] + columns)
    for column in columns { column.clear() }
    (offerings, groups) = (BlockDictionary(), BlockDictionary())
    values = attributes.map { _ in BlockDictionary() }
    users.removeAll()
    (count, time, nameBytes) = (0, 0, 0)
    return block
  }
}
