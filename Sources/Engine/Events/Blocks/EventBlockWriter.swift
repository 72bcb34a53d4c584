import Domain

/// Packs events, and what purchase logs tell beside them, into blocks. For one thread.
final class EventBlockWriter {
  private let names: EventNames
  private let types: EventTypes
  private let columns = EventColumn.allCases.map { _ in ColumnWriter() }
  private var dictionary: BlockNames
  private var templates: ValueTable<EventTemplate>
  private var users: ByteTable
  /// Events of the block at hand.
  private var count = 0
  /// When its last event was.
  private var time: Int64 = 0
  /// The last event whose row's place is kept.
  private var placed = 0
  /// Transfers of the row at hand, which are written with how many they are.
  private let row = ColumnWriter()
  private var transfersOfRow = 0

  /// A block takes no more events.
  private let mostEvents: Int

  /// The most events of a block.
  static let mostEvents = 1 << 15
  /// A block of so many bytes of texts takes no more events.
  static let mostBytes = 1 << 22

  /// - Parameter mostEvents: how many events a block takes, at most `EventBlockWriter.mostEvents`.
  init(names: EventNames, types: EventTypes, mostEvents: Int = mostEvents) {
    self.names = names
    self.types = types
    self.mostEvents = mostEvents
    dictionary = BlockNames(names, types)
    templates = Self.noTemplates(mostEvents)
    users = Self.noUsers(mostEvents)
  }

  private static func noTemplates(_ mostEvents: Int) -> ValueTable<EventTemplate> {
    ValueTable(expected: min(256, mostEvents / 8))
  }

  private static func noUsers(_ mostEvents: Int) -> ByteTable { ByteTable(expected: mostEvents / 2, bytesEach: 40) }

  /// Nothing has been added to the block at hand.
  var isEmpty: Bool { count == 0 && self[.transfers].count == 0 && self[.calls].count == 0 }

  /// The block at hand should be finished.
  var isFull: Bool {
    count >= mostEvents
      || self[.userBytes].count + self[.places].count + self[.transfers].count + self[.calls].count + dictionary.size
        >= Self.mostBytes
  }

  private subscript(column: EventColumn) -> ColumnWriter {
    @inline(__always) get { columns[column.rawValue] }
  }

  // MARK: - Adding

  /// Adds an event.
  func append(_ event: PurchaseEvent) {
    let template = EventTemplate(event)
    let known = templates.count
    let number = templates.number(of: template)
    if number == known { add(template) }
    self[.template].append(number)
    appendUser(event.user)
    self[.time].append(signed: event.time &- time)
    time = event.time
    if template.traits.rawValue >= EventTemplate.Traits.hasKey.rawValue { appendRest(of: event, template.traits) }
    count += 1
  }

  /// Keeps the place in its file of the row whose event was added last.
  func keep(_ place: Reject) {
    let column = self[.places]
    column.append(count - 1 - placed)
    placed = count - 1
    column.append(place.line)
    column.append(UInt64(place.byteOffset))
    column.append(place.excerpt)
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
    self[.transfers].append(transfersOfRow)
    row.bytes { self[.transfers].append(bytes: $0) }
    row.clear()
    transfersOfRow = 0
  }

  /// Adds how a call for an offering went.
  func append(_ call: DecodedLine.Call) {
    let code = NameKind.outcomesByNumber.firstIndex(of: call.outcome) ?? 0
    self[.calls].append(dictionary.number(of: UInt32(code), .outcomes))
    self[.calls].append(signed: call.time)
  }

  @inline(__always)
  private func appendUser(_ user: Text) {
    let known = users.count
    let number = users.insert(user, hash: ByteHash.hash64(user))
    if number == known {
      self[.userLengths].append(user.count)
      self[.userBytes].append(bytes: user)
    }
    self[.user].append(number)
  }

  private func appendRest(of event: PurchaseEvent, _ traits: EventTemplate.Traits) {
    if traits.contains(.hasKey), let key = event.key { self[.key].append(word: key.low) }
    if traits.contains(.hasTransaction), let number = event.transaction { self[.transaction].append(word: number) }
    if let key = event.chargeKey { self[.chargeKey].append(word: key) }
    if let amount = event.amountMicros { self[.amount].append(signed: amount) }
    if let end = event.end { self[.end].append(signed: end &- event.time) }
    if let version = event.version { self[.version].append(word: UInt64(bitPattern: version)) }
    if let toldAt = event.toldAt { self[.toldAt].append(signed: toldAt &- event.time) }
    if let start = event.rowStart { self[.rowStart].append(signed: start &- event.time) }
  }

  private func add(_ template: EventTemplate) {
    let column = self[.templates]
    column.append(template.traits.rawValue)
    column.append(dictionary.number(of: template.type, .types))
    column.append(dictionary.number(of: template.product, .products))
    column.append(template.currency)
    column.append(dictionary.number(of: template.code, .codes))
    column.append(dictionary.number(ofDetails: UInt16(template.details)))
    column.append(dictionary.number(of: template.offering, .offerings))
    column.append(dictionary.number(of: template.group, .groups))
  }

  // MARK: - Finishing

  /// The block of all that was added; what is added from here on goes into the next one.
  ///
  /// - Returns: nil where that is too long for a block.
  func finish() -> [UInt8]? {
    dictionary.write(names: self[.names], details: self[.details])
    let lengths = ColumnWriter()
    lengths.append(count)
    for column in columns { lengths.append(column.count) }
    let block = Block.frame(.events, [lengths] + columns)
    for column in columns { column.clear() }
    dictionary = BlockNames(names, types)
    templates = Self.noTemplates(mostEvents)
    users = Self.noUsers(mostEvents)
    (count, time, placed) = (0, 0, 0)
    return block
  }
}
