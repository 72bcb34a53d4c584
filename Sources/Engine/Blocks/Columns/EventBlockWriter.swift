import Domain

/// Packs events, and what purchase logs tell beside them, into blocks. For one thread.
final class EventBlockWriter {
  private let names: EventNames
  private let types: EventTypes
  private let columns = EventColumns()
  /// The events at hand, by column, as they are kept in memory.
  private let (moments, sales, others) = (ColumnWriter(), ColumnWriter(), ColumnWriter())
  private var dictionary: BlockNames
  private let traits = EventTraitsTable()
  /// The id of the last event's user, and how many users there are so far, one that comes again counted again.
  private var user: [UInt8] = []
  private var users: UInt32 = 0
  /// Events of the block at hand.
  private var count = 0
  /// How many rows they are of.
  private var rows = 0
  /// How many rows tell transfers.
  private var transferRows = 0
  /// Where the last event stands.
  private var position = EventPosition(column: .moments, start: 0)
  /// Transfers of the row at hand, which are written with how many they are.
  private let row = ColumnWriter()
  private var transfersOfRow = 0
  private let aliases = BlockAliases()
  private let enrolments = BlockEnrolments()
  private let partition: Int

  /// A block takes no more events.
  private let mostEvents: Int

  /// A block of so many bytes of texts takes no more events.
  static let mostBytes = 1 << 22

  /// - Parameters:
  ///   - partition: which partition all users are of; nil of blocks whose users may be of any.
  ///   - mostEvents: how many events a block takes, at most `Block.mostRows`.
  init(names: EventNames, types: EventTypes, partition: Int? = nil, mostEvents: Int = Block.mostRows) {
    self.names = names
    self.types = types
    self.partition = partition ?? EventBlock.Head.anyPartition
    self.mostEvents = mostEvents
    dictionary = BlockNames(names, types)
  }

  /// Nothing has been added to the block at hand.
  var isEmpty: Bool {
    count == 0 && columns.transfers.count == 0 && aliases.isEmpty && columns.calls.count == 0
      && enrolments.isEmpty
  }

  /// The block at hand should be finished.
  var isFull: Bool { count >= mostEvents || areTextsMany }

  /// The block at hand should be finished, however few events it has.
  var areTextsMany: Bool {
    columns.sizeOfTexts + aliases.size + enrolments.size + dictionary.size >= Self.mostBytes
  }

  // MARK: - Adding

  /// Adds an event.
  func append(_ event: PurchaseEvent) {
    addUser(event.user)
    var (row, traits) = (WholeRow(event), event.traits)
    // Files have other numbers where the block is read, and so have the products that a key may be made of.
    traits.file = 0
    if event.goesByContent {
      row.moment.key = nil
      traits.isKeyedByContent = true
    }
    row.moment.userNumber = users - 1
    row.moment.traitsNumber = self.traits.number(of: traits)
    row.sale.details = UInt32(dictionary.number(ofDetails: event.details))
    row.sale.reject = 0
    row.write(
      moment: { write($0, .moments, moments) }, sale: { write($0, .sales, sales) },
      whole: { write($0, .others, others) })
    rows += event.rows
    count += 1
  }

  @inline(__always)
  private func write(_ row: some EventRow, _ name: EventColumn, _ column: ColumnWriter) {
    position = EventPosition(column: name, start: column.count)
    column.append(bytesOf: row)
  }

  /// Keeps the place in its file of the row whose event was added last.
  func retain(_ row: Reject) {
    columns.positions.append(position.column.rawValue)
    columns.positions.append(position.start)
    columns.positions.append(row.line)
    columns.positions.append(UInt64(row.byteOffset))
    columns.positions.append(row.excerpt)
  }

  /// Adds a transfer of the row at hand.
  func append(_ transfer: DecodedLine.Transfer) {
    transfersOfRow += 1
    row.append(transfer.alias)
    row.append(transfer.user)
    row.append(signed: transfer.time)
  }

  /// The row's transfers have all been added.
  func endRow() {
    guard transfersOfRow > 0 else { return }
    transferRows += 1
    columns.transfers.append(transfersOfRow)
    row.bytes { columns.transfers.append(bytes: $0) }
    row.clear()
    transfersOfRow = 0
  }

  func append(_ alias: DecodedLine.Alias) { aliases.add(alias) }

  func append(_ enrolment: DecodedLine.Enrolment) { enrolments.add(enrolment) }

  /// Adds how a call for an offering went.
  func append(_ call: DecodedLine.Call) {
    let code = NameKind.outcomesByNumber.firstIndex(of: call.outcome) ?? 0
    columns.calls.append(dictionary.number(of: UInt32(code), .outcomes))
    columns.calls.append(signed: call.time)
  }

  /// Few of a block's users come again but at once: a dictionary of them took more time and bytes than it saved.
  @inline(__always)
  private func addUser(_ user: Text) {
    if count > 0, self.user.withText({ $0 == user }) { return }
    BlockUsers.append(user, lengths: columns.userLengths, bytes: columns.userBytes)
    users += 1
    self.user.removeAll(keepingCapacity: true)
    self.user.append(contentsOf: user)
  }

  // MARK: - Finishing

  /// The block of all that was added; what is added from here on goes into the next one.
  ///
  /// - Parameter kind: what kind of block the events make.
  /// - Returns: nil where that is too long for a block.
  func finish(_ kind: Block.Kind = .events) -> [UInt8]? {
    for traits in traits.all { traits.write(to: columns.traits, naming: &dictionary) }
    columns.moments.append(packing: moments, size: MemoryLayout<EventMoment>.size)
    columns.sales.append(packing: sales, size: MemoryLayout<SaleRow>.size)
    columns.others.append(packing: others, size: MemoryLayout<WholeRow>.size)
    aliases.write(to: columns.aliases)
    enrolments.write(to: columns.enrolments, naming: &dictionary)
    dictionary.write(names: columns.names, details: columns.details)
    let (lengths, columns) = (ColumnWriter(), columns.inOrder)
    EventBlock.Head(partition: partition, events: count, rows: rows, transferRows: transferRows).write(to: lengths)
    for column in columns { lengths.append(column.count) }
    let block = Block.frame(kind, [lengths] + columns)
    for column in columns + [moments, sales, others] { column.clear() }
    dictionary = BlockNames(names, types)
    traits.removeAll()
    (count, users, rows, transferRows) = (0, 0, 0, 0)
    return block
  }
}

/// Where an event stands in its block: in which column, and at which byte of it.
struct EventPosition: Hashable {
  let column: EventColumn
  let start: Int
}

extension PurchaseEvent {
  /// It has no id of its own and goes by what it says.
  fileprivate var goesByContent: Bool {
    guard let key = moment.key, !traits.type.isCharge, !traits.type.isRefund else { return false }
    return key.low == Fingerprint(contentOf: traits.type, product: traits.product, time: moment.time).low
  }
}
