import Domain

/// Packs events, and what purchase logs tell beside them, into blocks. For one thread.
final class EventBlockWriter {
  private let names: EventNames
  private let types: EventTypes
  private let columns = EventColumns()
  private var dictionary: BlockNames
  private let templates: ValueTable<EventTemplate>
  /// The id of the last event's user.
  private var user: [UInt8] = []
  /// Events of the block at hand.
  private var count = 0
  /// How many rows they are of.
  private var rows = 0
  /// How many rows tell transfers.
  private var transferRows = 0
  /// When its first event was.
  private var firstTime: Int64 = 0
  /// The last event whose row's place is kept.
  private var placed = 0
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
    templates = ValueTable(expected: min(256, mostEvents / 8))
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
    let template = EventTemplate(event)
    let known = templates.count
    let number = templates.number(of: template)
    if number == known { add(template) }
    append(event.user)
    if count == 0 { firstTime = event.time }
    let start = columns.event.count
    columns.event.append(number)
    columns.event.append(signed: event.time &- firstTime)
    let isCharged = EventTemplate.isCharged(event.type, template.traits)
    if isCharged, let transaction = event.transaction { columns.charged.append(word: transaction) }
    if template.traits.rawValue >= EventTemplate.Traits.hasKey.rawValue {
      appendRest(of: event, template.traits, isCharged: isCharged)
    }
    columns.length.append((columns.event.count - start) << 1 | (isCharged ? 1 : 0))
    if !event.isCompanion { rows += 1 }
    count += 1
  }

  /// Keeps the place in its file of the row whose event was added last.
  func keep(_ place: Reject) {
    columns.places.append(count - 1 - placed)
    placed = count - 1
    columns.places.append(place.line)
    columns.places.append(UInt64(place.byteOffset))
    columns.places.append(place.excerpt)
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
  private func append(_ user: Text) {
    if count > 0, self.user.withText({ $0 == user }) { return columns.userLengths.append(BlockUsers.same) }
    BlockUsers.append(user, lengths: columns.userLengths, bytes: columns.userBytes)
    self.user.removeAll(keepingCapacity: true)
    self.user.append(contentsOf: user)
  }

  private func appendRest(of event: PurchaseEvent, _ traits: EventTemplate.Traits, isCharged: Bool) {
    let column = columns.event
    if traits.contains(.hasKey), let key = event.key, !(isCharged && traits.contains(.isKeyedByTransaction)) {
      column.append(word: key.low)
    }
    if traits.contains(.hasTransaction), !isCharged, let number = event.transaction { column.append(word: number) }
    if let key = event.chargeKey { column.append(word: key) }
    if let amount = event.amountMicros { column.append(signed: amount) }
    if let end = event.end { column.append(signed: end &- event.time) }
    if let version = event.version { column.append(word: UInt64(bitPattern: version)) }
    if let toldAt = event.toldAt { column.append(signed: toldAt &- event.time) }
    if let start = event.rowStart { column.append(signed: start &- event.time) }
    if traits.contains(.hasChain) {
      column.append(event.chain)
      column.append(event.subscriptionGroup)
    }
    if let dollars = event.dollars { column.append(signed: dollars) }
    if traits.contains(.hasReplacedChain) { column.append(event.replacedChain) }
  }

  private func add(_ template: EventTemplate) {
    let column = columns.templates
    column.append(template.traits.rawValue)
    column.append(dictionary.number(of: template.type, .types))
    column.append(dictionary.number(of: template.product, .products))
    column.append(template.currency)
    column.append(dictionary.number(of: template.code, .codes))
    column.append(dictionary.number(ofDetails: template.details))
    column.append(dictionary.number(of: template.offering, .offerings))
    column.append(dictionary.number(of: template.group, .groups))
  }

  // MARK: - Finishing

  /// The block of all that was added; what is added from here on goes into the next one.
  ///
  /// - Parameter kind: what kind of block the events make.
  /// - Returns: nil where that is too long for a block.
  func finish(_ kind: Block.Kind = .events) -> [UInt8]? {
    aliases.write(to: columns.aliases)
    enrolments.write(to: columns.enrolments, naming: &dictionary)
    dictionary.write(names: columns.names, details: columns.details)
    let (lengths, columns) = (ColumnWriter(), columns.inOrder)
    EventBlock.Head(partition: partition, events: count, rows: rows, transferRows: transferRows).write(to: lengths)
    lengths.append(signed: firstTime)
    for column in columns { lengths.append(column.count) }
    let block = Block.frame(kind, [lengths] + columns)
    for column in columns { column.clear() }
    dictionary = BlockNames(names, types)
    templates.removeAll()
    (count, rows, transferRows, firstTime, placed) = (0, 0, 0, 0, 0)
    return block
  }
}
