import Domain

/// The kinds of names that events have, in the order their dictionaries lie in a block.
enum NameKind: Int, CaseIterable {
  case types, products, offerings, groups, codes
  /// Values of a charge's attributes, all together: `PackedValues`.
  case attributes
  /// What came of a call for an offering.
  case outcomes

  /// What can come of such a call; an outcome's place is its number in a run.
  static let outcomesByNumber = APIEventType.allCases
}

/// Numbers a block's names in the order in which its events use them, so that its bytes do not depend on the numbers that
/// the run's threads happened to give them.
struct BlockNames {
  private let names: EventNames
  private let types: EventTypes
  private var dictionaries = NameKind.allCases.map { _ in BlockDictionary() }
  private var details: [UInt32: Int] = [ChargeDetails.none: 0]
  private var reportedDetails: [ChargeDetails] = []
  /// How many bytes the names take.
  private(set) var size = 0

  init(_ names: EventNames, _ types: EventTypes) {
    self.names = names
    self.types = types
  }

  /// The name's number in the block, from 1; 0 for no name.
  mutating func number(of code: UInt32, _ kind: NameKind) -> Int {
    dictionaries[kind.rawValue].number(of: code, adding: &size) { [names, types] in
      Self.name(of: code, kind, names, types)
    }
  }

  /// The number of the details in the block, from 1; 0 for none.
  mutating func number(ofDetails run: UInt32) -> Int {
    if let known = details[run] { return known }
    reportedDetails.append(names.details.details(run))
    details[run] = reportedDetails.count
    return reportedDetails.count
  }

  /// Writes all that was asked for into a block's dictionaries.
  mutating func write(names: ColumnWriter, details: ColumnWriter) {
    details.append(reportedDetails.count)
    for reported in reportedDetails {
      reported.write(to: details)
      details.append(number(of: reported.attributes, .attributes))
    }
    for dictionary in dictionaries { dictionary.write(to: names) }
  }

  private static func name(
    of code: UInt32, _ kind: NameKind, _ names: EventNames, _ types: EventTypes
  ) -> Identifier {
    let interner: Interner
    switch kind {
    case .types: return types.names[Int(code)]
    case .outcomes: return Identifier(NameKind.outcomesByNumber[Int(code)].rawValue)
    case .products: interner = names.products
    case .offerings: interner = names.offerings
    case .groups: interner = names.groups
    case .codes: interner = names.codes
    case .attributes: interner = names.attributes
    }
    return interner.name(code) ?? Identifier("")
  }
}

/// The run's numbers of a block's names.
struct RunNumbers {
  private var codes: [[UInt32]] = []
  private var details: [UInt32] = []

  /// - Throws: `BlockFault`, also where the block has a type that the run does not know.
  init(
    names column: Text, details detailsColumn: Text, in names: EventNames, _ types: EventTypes
  ) throws(BlockFault) {
    var column = ColumnReader(column)
    for kind in NameKind.allCases {
      var codes: [UInt32] = []
      for _ in 0..<(try column.length()) {
        guard let code = Self.code(try column.text(), kind, names, types) else { throw .misplaced }
        codes.append(code)
      }
      self.codes.append(codes)
    }
    guard column.isAtEnd else { throw .damaged }
    try readDetails(ColumnReader(detailsColumn), names)
  }

  /// The run's number of the name with a number in the block.
  func code(_ number: Int, _ kind: NameKind) throws(BlockFault) -> UInt32 {
    guard number > 0 else { return Interner.none }
    guard number <= codes[kind.rawValue].count else { throw .damaged }
    return codes[kind.rawValue][number - 1]
  }

  /// The run's number of the details with a number in the block.
  func details(_ number: Int) throws(BlockFault) -> UInt32 {
    guard number > 0 else { return ChargeDetails.none }
    guard number <= details.count else { throw .damaged }
    return details[number - 1]
  }

  private mutating func readDetails(_ column: ColumnReader, _ names: EventNames) throws(BlockFault) {
    var column = column
    for _ in 0..<(try column.length()) {
      var read = try ChargeDetails(&column)
      read.attributes = try code(try column.position(below: Int(Int32.max)), .attributes)
      guard let number = names.details.number(ofKnown: read) else { throw .misplaced }
      details.append(number)
    }
    guard column.isAtEnd else { throw .damaged }
  }

  /// Nil for a type or an outcome that there is not, and for a name that is new although all are known.
  private static func code(_ text: Text, _ kind: NameKind, _ names: EventNames, _ types: EventTypes) -> UInt32? {
    switch kind {
    case .types: types.type(named: String(decoding: text, as: UTF8.self)).map { UInt32($0.code) }
    case .outcomes: NameKind.outcomesByNumber.firstIndex { text.elementsEqual($0.rawValue.utf8) }.map { UInt32($0) }
    case .products: names.products.number(of: text)
    case .offerings: names.offerings.number(of: text)
    case .groups: names.groups.number(of: text)
    case .codes: names.codes.number(of: text)
    case .attributes: PackedValues.areSound(text) ? names.attributes.number(of: text) : nil
    }
  }
}
