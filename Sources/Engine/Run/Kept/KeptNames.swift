import Domain

/// The names that a night's sums are numbered by, in the order of their numbers, so that the next night numbers them alike.
struct KeptNames {
  /// Products, offerings, groups, codes, values of charges' attributes; then each segment attribute's values.
  private var lists: [[Identifier]]
  private var details: [ChargeDetails]

  private static func interners(_ names: EventNames, _ values: [Interner]) -> [Interner] {
    [names.products, names.offerings, names.groups, names.codes, names.attributes] + values
  }

  /// Which of them the values of charges' attributes are.
  private static let packedValues = 4

  init(_ names: EventNames, values: [Interner]) {
    lists = Self.interners(names, values).map(\.names)
    details = names.details.all
  }

  /// Numbers the names of a run that has none yet.
  ///
  /// - Throws: `BlockFault.misplaced` where the run has other lists, or one has a name twice.
  func number(_ names: EventNames, values: [Interner]) throws(BlockFault) {
    let interners = Self.interners(names, values)
    guard interners.count == lists.count else { throw .misplaced }
    for (interner, list) in zip(interners, lists) {
      for (number, name) in list.enumerated() { guard interner.code(name) == number else { throw .misplaced } }
    }
    for (number, details) in details.enumerated() {
      guard names.details.number(of: details) == number else { throw .misplaced }
    }
  }

  // MARK: - As a column

  func write(to column: ColumnWriter) {
    column.append(lists.count)
    for list in lists {
      column.append(list.count)
      for name in list { column.append(name.utf8) }
    }
    column.append(details.count)
    for told in details {
      told.write(to: column)
      column.append(told.attributes == Interner.none ? 0 : Int(told.attributes) + 1)
    }
  }

  /// - Throws: `BlockFault` where the column holds no such lists.
  init(_ column: inout ColumnReader) throws(BlockFault) {
    lists = []
    details = []
    for list in 0..<(try column.length()) {
      var names: [Identifier] = []
      for _ in 0..<(try column.length()) {
        let name = try column.text()
        guard list != Self.packedValues || PackedValues.areSound(name) else { throw .damaged }
        names.append(Identifier(name))
      }
      lists.append(names)
    }
    guard lists.count > Self.packedValues else { throw .damaged }
    for _ in 0..<(try column.length()) {
      var told = try ChargeDetails(&column)
      let attributes = try column.place(below: lists[Self.packedValues].count + 1)
      told.attributes = attributes == 0 ? Interner.none : UInt32(attributes - 1)
      details.append(told)
    }
  }
}
