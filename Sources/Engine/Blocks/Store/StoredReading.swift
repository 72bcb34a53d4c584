import Domain
import Measurement

/// What is to be known of a purchase file beside its events: the last block of its entry.
struct StoredReading {
  var rows = 0
  /// Rows that nothing is measured by.
  var notMeasured = 0
  var names: [String] = []
  var attributes = AttributesSeen()
  var notes: [FileNotes.Note: Int] = [:]
  /// How many blocks of events the entry has, and rows in its blocks of rejects.
  var blocks = 0
  var rejects = 0

  private static let kinds: [FileNotes.Kind] = [
    .notMeasured, .unknownValue, .unknownColumn, .skipped, .roundedPrice, .roundedMoney, .exactPrice,
  ]

  init(_ reading: FileReading, blocks: Int) {
    rows = reading.account.rows
    notMeasured = reading.account.setAside[.notMeasured] ?? 0
    names = reading.names
    attributes = reading.attributes
    notes = reading.notes.counts
    rejects = reading.rejects.count
    self.blocks = blocks
  }

  /// Puts all of it into what comes of reading a file whose transfers and rejects have been booked.
  func fill(_ reading: inout FileReading) {
    reading.account.rows = rows
    reading.account.outcomes.setAside(.notMeasured, notMeasured)
    for (note, count) in notes {
      reading.notes.add(note.kind, note.name, count)
      if note.kind == .skipped { reading.account.outcomes.setAside(.skipped, count) }
    }
    reading.names = names
    reading.attributes = attributes
  }

  // MARK: - As a block

  /// The block; nil where it would be too long.
  var block: [UInt8]? {
    let column = ColumnWriter()
    for number in [blocks, rejects, rows, notMeasured, names.count] { column.append(number) }
    for name in names { column.append(name) }
    column.append(attributes.hasCharges ? 1 : 0)
    column.append(attributes.attributes.count)
    for attribute in attributes.attributes.sorted() { column.append(attribute) }
    column.append(notes.count)
    for (note, count) in notes.sorted(by: { ($0.key.kindNumber, $0.key.name) < ($1.key.kindNumber, $1.key.name) }) {
      column.append(note.kindNumber)
      column.append(note.name)
      column.append(count)
    }
    return Block.frame(.reading, [column])
  }

  /// - Parameters:
  ///   - body: what the block has in its frame.
  ///   - attributeCount: how many attributes rows may tell.
  /// - Throws: `BlockFault` where it does not hold together.
  init(_ body: Text, attributes attributeCount: Int) throws(BlockFault) {
    var column = ColumnReader(body)
    blocks = try column.count()
    rejects = try column.count()
    rows = try column.count()
    notMeasured = try column.count()
    for _ in 0..<(try column.length()) { names.append(try column.string()) }
    attributes.hasCharges = try column.position(below: 2) == 1
    for _ in 0..<(try column.length()) { attributes.attributes.insert(try column.position(below: attributeCount)) }
    for _ in 0..<(try column.position(below: FileNotes.nameLimit + 2 * Self.kinds.count)) {
      let kind = Self.kinds[try column.position(below: Self.kinds.count)]
      notes[FileNotes.Note(kind: kind, name: try column.string())] = try column.count()
    }
    guard column.isAtEnd else { throw .damaged }
  }
}

extension FileNotes.Note {
  /// The number that its kind goes by in a block.
  fileprivate var kindNumber: Int {
    switch kind {
    case .notMeasured: 0
    case .unknownValue: 1
    case .unknownColumn: 2
    case .skipped: 3
    case .roundedPrice: 4
    case .roundedMoney: 5
    case .exactPrice: 6
    }
  }
}
