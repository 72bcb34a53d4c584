import Domain
import Measurement

/// One block of events, opened: its dictionaries read, its columns at their first values.
///
/// It points into the block's bytes and lives as long as those.
struct EventBlock {
  private let count: Int
  private var columns: [ColumnReader] = []
  private let numbers: RunNumbers
  private var templates: [(event: PurchaseEvent, traits: EventTemplate.Traits)] = []
  private var users: [Text] = []
  private var places: [Int: Reject] = [:]

  /// - Parameter body: what `Block` has in its frame.
  /// - Throws: `BlockFault` where the block does not hold together.
  init(_ body: Text, names: EventNames, types: EventTypes) throws(BlockFault) {
    var reader = ColumnReader(body)
    count = try reader.length()
    guard count <= Block.mostRows else { throw .damaged }
    var lengths: [Int] = []
    for _ in EventColumn.allCases { lengths.append(try reader.length()) }
    var texts: [Text] = []
    for length in lengths { texts.append(try reader.bytes(length)) }
    guard reader.isAtEnd else { throw .damaged }
    columns = texts.map { ColumnReader($0) }
    numbers = try RunNumbers(
      names: texts[EventColumn.names.rawValue], details: texts[EventColumn.details.rawValue], in: names, types)
    try readTemplates()
    try readUsers()
    try readPlaces()
  }

  private subscript(column: EventColumn) -> ColumnReader {
    get { columns[column.rawValue] }
    set { columns[column.rawValue] = newValue }
  }

  private mutating func readTemplates() throws(BlockFault) {
    var column = self[.templates]
    while !column.isAtEnd {
      let traits = EventTemplate.Traits(rawValue: UInt32(try column.place(below: Int(UInt32.max))))
      guard traits.isSubset(of: .all) else { throw .damaged }
      let type = try code(.types, &column)
      guard type != Interner.none else { throw .damaged }
      let template = EventTemplate(
        traits: traits, type: type, product: try code(.products, &column),
        currency: UInt32(try column.place(below: Currency.count + 1)), code: try code(.codes, &column),
        details: try numbers.details(try column.place(below: Int(Int32.max))),
        offering: try code(.offerings, &column), group: try code(.groups, &column),
        subscriptionGroup: UInt32(try column.place(below: 1 << 32)))
      templates.append((template.event, traits))
    }
  }

  private func code(_ kind: NameKind, _ column: inout ColumnReader) throws(BlockFault) -> UInt32 {
    try numbers.code(try column.place(below: Int(Int32.max)), kind)
  }

  private mutating func readUsers() throws(BlockFault) {
    var (lengths, bytes) = (self[.userLengths], self[.userBytes])
    users.reserveCapacity(lengths.bytesLeft)
    while !lengths.isAtEnd { users.append(try bytes.bytes(try lengths.place(below: Int(Int32.max)))) }
    guard bytes.isAtEnd else { throw .damaged }
  }

  private mutating func readPlaces() throws(BlockFault) {
    var column = self[.places]
    var event = 0
    while !column.isAtEnd {
      event += try column.place(below: count - event)
      places[event] = Reject(
        account: 0, line: try column.count(), byteOffset: Int64(try column.count()),
        reason: .malformed, detail: "", excerpt: Array(try column.text()))
    }
  }

  // MARK: - Telling

  /// Hands the events on as their file did, and then its calls, aliases and transfers.
  ///
  /// - Parameter fates: takes what becomes of rows of transfers.
  /// - Returns: how many rows the events are of.
  /// - Throws: `BlockFault`; what has been handed on by then is to be forgotten.
  @discardableResult
  func tell(_ sink: inout some EventSink, booking fates: inout RowOutcomes) throws(BlockFault) -> Int {
    let rows = try tellEvents(&sink)
    try tellCalls(&sink)
    try tellAliases(&sink)
    try tellTransfers(&sink, &fates)
    return rows
  }

  private func tellEvents<Sink: EventSink>(_ sink: inout Sink) throws(BlockFault) -> Int {
    var (template, user, times) = (self[.template], self[.user], self[.time])
    var rest = RestOfEvent(self)
    var time: Int64 = 0
    var rows = 0
    var lacksPlace = false
    // The closure below would take a copy of all of the block for every event.
    let (templates, users, places) = (templates, users, places)
    let isWanted = Sink.isChoosy ? users.map { sink.wants($0) } : []
    for number in 0..<count {
      let template = templates[try template.place(below: templates.count)]
      let place = try user.place(below: users.count)
      time = try times.time(after: time)
      if !template.traits.contains(.isCompanion) { rows += 1 }
      if Sink.isChoosy, !isWanted[place] {
        let transaction = try rest.pass(template.traits)
        if let transaction, template.event.type.isCharge { sink.pass(chargeOf: transaction, by: users[place]) }
        continue
      }
      var event = template.event
      event.user = users[place]
      event.time = time
      try rest.read(template.traits, into: &event)
      sink.receive(event) {
        if let place = places[number] { return place }
        lacksPlace = true
        return Reject(account: 0, line: 0, byteOffset: 0, reason: .malformed, detail: "", excerpt: [])
      }
      if lacksPlace { throw .unknownPlace }
    }
    guard template.isAtEnd, user.isAtEnd, times.isAtEnd, rest.isAtEnd else { throw .damaged }
    return rows
  }

  private func tellCalls(_ sink: inout some EventSink) throws(BlockFault) {
    var column = self[.calls]
    while !column.isAtEnd {
      let code = try code(.outcomes, &column)
      guard code != Interner.none else { throw .damaged }
      sink.receive(DecodedLine.Call(outcome: NameKind.outcomesByNumber[Int(code)], time: try column.time()))
    }
  }

  private func tellAliases(_ sink: inout some EventSink) throws(BlockFault) {
    var column = self[.aliases]
    while !column.isAtEnd {
      let (id, other, time) = (try column.text(), try column.text(), try column.time())
      sink.receive(DecodedLine.Alias(id: id, other: other, time: time))
    }
  }

  private func tellTransfers(_ sink: inout some EventSink, _ fates: inout RowOutcomes) throws(BlockFault) {
    var column = self[.transfers]
    while !column.isAtEnd {
      var reason: SetAsideReason?
      for _ in 0..<(try column.length()) {
        let (alias, user, time) = (try column.text(), try column.text(), try column.time())
        let told = sink.receive(DecodedLine.Transfer(alias: alias, user: user, time: time))
        reason = reason ?? told
      }
      fates.book(reason)
    }
  }

  /// The columns in which not every event has a value.
  private struct RestOfEvent {
    var key, transaction, chargeKey, amount, end, version, toldAt, rowStart, chain, dollars: ColumnReader

    init(_ block: EventBlock) {
      (key, transaction, chargeKey) = (block[.key], block[.transaction], block[.chargeKey])
      (amount, end, version) = (block[.amount], block[.end], block[.version])
      (toldAt, rowStart, chain, dollars) = (block[.toldAt], block[.rowStart], block[.chain], block[.dollars])
    }

    var isAtEnd: Bool {
      key.isAtEnd && transaction.isAtEnd && chargeKey.isAtEnd && amount.isAtEnd && end.isAtEnd && version.isAtEnd
        && toldAt.isAtEnd && rowStart.isAtEnd && chain.isAtEnd && dollars.isAtEnd
    }

    @inline(__always)
    mutating func read(_ traits: EventTemplate.Traits, into event: inout PurchaseEvent) throws(BlockFault) {
      if traits.contains(.hasKey) {
        let low = try key.word()
        event.key = Fingerprint(low: low)
        if traits.contains(.isKeyedByTransaction) { event.transaction = low }
      } else if traits.contains(.isKeyedByContent) {
        event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
      }
      if traits.contains(.hasTransaction) { event.transaction = try transaction.word() }
      if traits.contains(.hasChargeKey) { event.chargeKey = try chargeKey.word() }
      if traits.contains(.hasAmount) { event.amountMicros = try amount.signed() }
      if traits.contains(.hasEnd) { event.end = try end.time(after: event.time) }
      if traits.contains(.hasVersion) { event.version = Int64(bitPattern: try version.word()) }
      if traits.contains(.hasToldAt) { event.toldAt = try toldAt.time(after: event.time) }
      if traits.contains(.hasRowStart) { event.rowStart = try rowStart.time(after: event.time) }
      if traits.contains(.hasChain) { event.chain = UInt32(try chain.place(below: 1 << 32)) }
      if traits.contains(.hasDollars) { event.dollars = try dollars.signed() }
    }

    /// Goes over an event's values; the transaction is returned, where it names one.
    @inline(__always)
    mutating func pass(_ traits: EventTemplate.Traits) throws(BlockFault) -> UInt64? {
      var named: UInt64?
      if traits.contains(.hasKey) {
        let low = try key.word()
        if traits.contains(.isKeyedByTransaction) { named = low }
      }
      if traits.contains(.hasTransaction) { named = try transaction.word() }
      if traits.contains(.hasChargeKey) { _ = try chargeKey.word() }
      if traits.contains(.hasAmount) { _ = try amount.signed() }
      if traits.contains(.hasEnd) { _ = try end.signed() }
      if traits.contains(.hasVersion) { _ = try version.word() }
      if traits.contains(.hasToldAt) { _ = try toldAt.signed() }
      if traits.contains(.hasRowStart) { _ = try rowStart.signed() }
      if traits.contains(.hasChain) { _ = try chain.number() }
      if traits.contains(.hasDollars) { _ = try dollars.signed() }
      return named
    }
  }
}

extension Fingerprint {
  /// A key of which the lower half was kept, the one that events are compared by.
  fileprivate init(low: UInt64) {
    (high, self.low) = (0, low)
  }
}
