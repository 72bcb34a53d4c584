import Domain
import Measurement

/// One block of events, opened: its dictionaries read, its columns at their first values.
///
/// It points into the block's bytes and lives as long as those.
struct EventBlock {
  private let head: Head
  private var columns: [ColumnReader] = []
  private let numbers: RunNumbers
  private var traits: [EventTraits] = []
  /// Where ids lie that are written out.
  private let arena = TextArena()
  private var positions: [EventPosition: Reject] = [:]

  /// - Parameter body: what `Block` has in its frame.
  /// - Throws: `BlockFault` where the block does not hold together.
  init(_ body: Text, names: EventNames, types: EventTypes) throws(BlockFault) {
    var reader = ColumnReader(body)
    head = try Head(&reader)
    var lengths: [Int] = []
    for _ in EventColumn.allCases { lengths.append(try reader.length()) }
    var texts: [Text] = []
    for length in lengths { texts.append(try reader.bytes(length)) }
    guard reader.isAtEnd else { throw .damaged }
    columns = texts.map { ColumnReader($0) }
    numbers = try RunNumbers(
      names: texts[EventColumn.names.rawValue], details: texts[EventColumn.details.rawValue], in: names, types)
    var column = self[.traits]
    while !column.isAtEnd { traits.append(try EventTraits(&column, numbers)) }
    try readPositions()
  }

  private subscript(column: EventColumn) -> ColumnReader { columns[column.rawValue] }

  private func code(_ kind: NameKind, _ column: inout ColumnReader) throws(BlockFault) -> UInt32 {
    try numbers.code(try column.position(below: Int(Int32.max)), kind)
  }

  private mutating func readPositions() throws(BlockFault) {
    var column = self[.positions]
    while !column.isAtEnd {
      guard let name = EventColumn(rawValue: try column.position(below: EventColumn.allCases.count)) else {
        throw .damaged
      }
      let position = EventPosition(column: name, start: try column.count())
      positions[position] = Reject(
        account: 0, line: try column.count(), byteOffset: Int64(try column.count()),
        reason: .malformed, detail: "", excerpt: Array(try column.text()))
    }
  }

  // MARK: - Telling

  /// Hands the events on, and then what their file tells beside them: calls, aliases, enrolments and transfers, as a batch
  /// that ends in any case.
  ///
  /// - Parameter outcomes: takes what becomes of rows of transfers.
  /// - Returns: how many rows the events are of.
  /// - Throws: `BlockFault`; what has been handed on by then is to be forgotten.
  @discardableResult
  func emit(_ sink: inout some EventSink, recording outcomes: inout RowOutcomes) throws(BlockFault) -> Int {
    // Sinks keep texts until then.
    defer { withExtendedLifetime(arena) { sink.finishBatch() } }
    try forEachEvent { sink.receive($0, position: $1) }
    try emitCalls(&sink)
    try emitAliases(&sink)
    try emitEnrolments(&sink)
    try emitTransfers(&sink, &outcomes)
    return head.rows
  }

  /// Calls `body` with every event, and with what makes the reject that it would become. Texts live as long as the block.
  ///
  /// - Throws: as `emit`.
  @inline(__always)
  func forEachEvent(_ body: (_ event: PurchaseEvent, _ position: () -> Reject) -> Void) throws(BlockFault) {
    let users = try BlockUsers.read(lengths: self[.userLengths], bytes: self[.userBytes], into: arena)
    let count =
      try forEach(EventMoment.self, .moments, of: users, body) + forEach(SaleRow.self, .sales, of: users, body)
      + forEach(WholeRow.self, .others, of: users, body)
    guard count == head.events else { throw .damaged }
  }

  /// Calls `body` with the events of one column, and returns how many they are.
  @inline(__always)
  private func forEach<Row: EventRow>(
    _ row: Row.Type, _ name: EventColumn, of users: [Text], _ body: (PurchaseEvent, () -> Reject) -> Void
  ) throws(BlockFault) -> Int {
    let rows = try self[name].unpackedRows(size: MemoryLayout<Row>.size, into: arena)
    var (column, count, lacksPosition) = (ColumnReader(rows), 0, false)
    // The closure below would take a copy of all of the block for every event.
    let (traits, numbers, positions) = (traits, numbers, positions)
    var event = PurchaseEvent()
    while !column.isAtEnd {
      let position = EventPosition(column: name, start: column.bytesRead)
      try column.value(of: Row.self).fill(&event)
      guard event.userNumber < users.count, event.traitsNumber < traits.count else { throw .damaged }
      event.user = users[Int(event.userNumber)]
      event.traits = traits[Int(event.traitsNumber)]
      event.details = try numbers.details(Int(event.details))
      try event.settle()
      body(event) {
        if let row = positions[position] { return row }
        lacksPosition = true
        return Reject(account: 0, line: 0, byteOffset: 0, reason: .malformed, detail: "", excerpt: [])
      }
      if lacksPosition { throw .unknownPosition }
      count += 1
    }
    return count
  }

  private func emitCalls(_ sink: inout some EventSink) throws(BlockFault) {
    var column = self[.calls]
    while !column.isAtEnd {
      let code = try code(.outcomes, &column)
      guard code != Interner.none else { throw .damaged }
      sink.receive(DecodedLine.Call(outcome: NameKind.outcomesByNumber[Int(code)], time: try column.time()))
    }
  }

  private func emitAliases(_ sink: inout some EventSink) throws(BlockFault) {
    var (column, id, time) = (self[.aliases], Text.empty, Int64(0))
    while !column.isAtEnd {
      let length = try column.position(below: BlockUsers.most)
      if length != BlockUsers.same { id = try BlockUsers.read(length, &column, into: arena) }
      let other = try BlockUsers.read(try column.position(below: BlockUsers.most), &column, into: arena)
      let kind = DecodedLine.Alias.Kind.allCases[try column.position(below: DecodedLine.Alias.Kind.allCases.count)]
      time = try column.time(after: time)
      sink.receive(DecodedLine.Alias(id: id, other: other, time: time, kind: kind))
    }
  }

  private func emitEnrolments(_ sink: inout some EventSink) throws(BlockFault) {
    var column = self[.enrolments]
    while !column.isAtEnd {
      let user = try column.text()
      let (offering, group) = (try code(.offerings, &column), try code(.groups, &column))
      guard offering != Interner.none, group != Interner.none else { throw .damaged }
      sink.receive(
        DecodedLine.Enrolment(user: user, offering: offering, group: group, time: try column.time()))
    }
  }

  private func emitTransfers(_ sink: inout some EventSink, _ outcomes: inout RowOutcomes) throws(BlockFault) {
    var column = self[.transfers]
    var rows = 0
    while !column.isAtEnd {
      var reason: SetAsideReason?
      for _ in 0..<(try column.length()) {
        let (alias, user, time) = (try column.text(), try column.text(), try column.time())
        let reported = sink.receive(DecodedLine.Transfer(alias: alias, user: user, time: time))
        reason = reason ?? reported
      }
      outcomes.record(reason)
      rows += 1
    }
    guard rows == head.transferRows else { throw .damaged }
  }

  /// What a block begins with: enough to know whose events it has, and of how many rows.
  struct Head {
    /// Which partition its users are of, `anyPartition` where they may be of any.
    var partition: Int
    var events: Int
    /// How many rows the events are of.
    var rows: Int
    /// How many rows tell transfers.
    var transferRows: Int

    static let anyPartition = UserDirectory.partitionCount
    /// It takes no more bytes.
    static let longest = 16
  }
}

extension EventBlock.Head {
  init(_ reader: inout ColumnReader) throws(BlockFault) {
    partition = try reader.position(below: Self.anyPartition + 1)
    events = try reader.position(below: Block.mostRows + 1)
    rows = try reader.position(below: events + 1)
    transferRows = try reader.count()
  }

  func write(to column: ColumnWriter) {
    for number in [partition, events, rows, transferRows] { column.append(number) }
  }
}

extension PurchaseEvent {
  /// Makes of what a block says what an event says.
  ///
  /// - Throws: `BlockFault.damaged` where no event says that.
  @inline(__always)
  fileprivate mutating func settle() throws(BlockFault) {
    let times = [moment.time, sale.end ?? 0, rest.reportedAt ?? 0, rest.rowStart ?? 0] as InlineArray<4, _>
    for position in times.indices where times[position].magnitude >= ColumnReader.farthest { throw .damaged }
    guard sale.reject == 0, rest.chargedCurrency <= Currency.count else { throw .damaged }
    if traits.isKeyedByContent {
      moment.key = Fingerprint(contentOf: traits.type, product: traits.product, time: moment.time)
      traits.isKeyedByContent = false
    }
  }
}
