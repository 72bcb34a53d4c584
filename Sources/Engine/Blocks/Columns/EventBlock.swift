import Domain
import Measurement

/// One block of events, opened: its dictionaries read, its columns at their first values.
///
/// It points into the block's bytes and lives as long as those.
struct EventBlock {
  private let head: Head
  private let firstTime: Int64
  private var columns: [ColumnReader] = []
  private let numbers: RunNumbers
  private var templates: [Template] = []
  /// Where ids lie that are written out.
  private let arena = TextArena()
  private var places: [Int: Reject] = [:]

  /// - Parameter body: what `Block` has in its frame.
  /// - Throws: `BlockFault` where the block does not hold together.
  init(_ body: Text, names: EventNames, types: EventTypes) throws(BlockFault) {
    var reader = ColumnReader(body)
    head = try Head(&reader)
    firstTime = try reader.time()
    var lengths: [Int] = []
    for _ in EventColumn.allCases { lengths.append(try reader.length()) }
    var texts: [Text] = []
    for length in lengths { texts.append(try reader.bytes(length)) }
    guard reader.isAtEnd else { throw .damaged }
    columns = texts.map { ColumnReader($0) }
    numbers = try RunNumbers(
      names: texts[EventColumn.names.rawValue], details: texts[EventColumn.details.rawValue], in: names, types)
    try readTemplates()
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
        offering: try code(.offerings, &column), group: try code(.groups, &column))
      guard template.namesProduct else { throw .damaged }
      templates.append(Template(template))
    }
  }

  private func code(_ kind: NameKind, _ column: inout ColumnReader) throws(BlockFault) -> UInt32 {
    try numbers.code(try column.place(below: Int(Int32.max)), kind)
  }

  private mutating func readPlaces() throws(BlockFault) {
    var column = self[.places]
    var event = 0
    while !column.isAtEnd {
      event += try column.place(below: head.events - event)
      places[event] = Reject(
        account: 0, line: try column.count(), byteOffset: Int64(try column.count()),
        reason: .malformed, detail: "", excerpt: Array(try column.text()))
    }
  }

  // MARK: - Telling

  /// Hands the events on as their file did, and then its calls, aliases, enrolments and transfers, as a batch that ends in
  /// any case.
  ///
  /// - Parameter fates: takes what becomes of rows of transfers.
  /// - Returns: how many rows the events are of.
  /// - Throws: `BlockFault`; what has been handed on by then is to be forgotten.
  @discardableResult
  func tell(_ sink: inout some EventSink, booking fates: inout RowOutcomes) throws(BlockFault) -> Int {
    // Sinks keep texts until then.
    defer { withExtendedLifetime(arena) { sink.finishBatch() } }
    try tellEvents(&sink)
    try tellCalls(&sink)
    try tellAliases(&sink)
    try tellEnrolments(&sink)
    try tellTransfers(&sink, &fates)
    return head.rows
  }

  private func tellEvents(_ sink: inout some EventSink) throws(BlockFault) {
    var (users, ids, user) = (self[.userLengths], self[.userBytes], Text.empty)
    var (length, events, charged) = (self[.length], self[.event], self[.charged])
    var lacksPlace = false
    // The closure below would take a copy of all of the block for every event.
    let (arena, places) = (arena, places)
    // All events of a template have the same values, and so are written into one place, one after the other.
    var told = RecordBuffer<Template>()
    told.append(each: templates)
    defer { withExtendedLifetime(told) {} }
    let templates = told.span
    for number in 0..<head.events {
      let form = try users.place(below: BlockUsers.most)
      if number == 0 || form != BlockUsers.same { user = try BlockUsers.read(form, &ids, into: arena) }
      let size = try length.place(below: Self.longest)
      let bytes = try events.bytes(size >> 1)
      let transaction = size & 1 == 1 ? try charged.word() : nil
      var values = ColumnReader(bytes)
      let template = try values.place(below: templates.count)
      guard templates[template].isCharged == (transaction != nil) else { throw .damaged }
      templates[template].event.user = user
      templates[template].event.time = try values.time(after: firstTime)
      templates[template].event.transaction = transaction
      try values.read(templates[template].traits, into: &templates[template].event)
      guard values.isAtEnd else { throw .damaged }
      sink.receive(templates[template].event) {
        if let place = places[number] { return place }
        lacksPlace = true
        return Reject(account: 0, line: 0, byteOffset: 0, reason: .malformed, detail: "", excerpt: [])
      }
      if lacksPlace { throw .unknownPlace }
    }
    guard users.isAtEnd, ids.isAtEnd, length.isAtEnd, events.isAtEnd, charged.isAtEnd else { throw .damaged }
  }

  /// No event takes as many bytes, twice.
  private static let longest = 1 << 10

  private func tellCalls(_ sink: inout some EventSink) throws(BlockFault) {
    var column = self[.calls]
    while !column.isAtEnd {
      let code = try code(.outcomes, &column)
      guard code != Interner.none else { throw .damaged }
      sink.receive(DecodedLine.Call(outcome: NameKind.outcomesByNumber[Int(code)], time: try column.time()))
    }
  }

  private func tellAliases(_ sink: inout some EventSink) throws(BlockFault) {
    var (column, id, time) = (self[.aliases], Text.empty, Int64(0))
    while !column.isAtEnd {
      let length = try column.place(below: BlockUsers.most)
      if length != BlockUsers.same { id = try BlockUsers.read(length, &column, into: arena) }
      let other = try BlockUsers.read(try column.place(below: BlockUsers.most), &column, into: arena)
      let kind = DecodedLine.Alias.Kind.allCases[try column.place(below: DecodedLine.Alias.Kind.allCases.count)]
      time = try column.time(after: time)
      sink.receive(DecodedLine.Alias(id: id, other: other, time: time, kind: kind))
    }
  }

  private func tellEnrolments(_ sink: inout some EventSink) throws(BlockFault) {
    var column = self[.enrolments]
    while !column.isAtEnd {
      let user = try column.text()
      let (offering, group) = (try code(.offerings, &column), try code(.groups, &column))
      guard offering != Interner.none, group != Interner.none else { throw .damaged }
      sink.receive(
        DecodedLine.Enrolment(user: user, offering: offering, group: group, time: try column.time()))
    }
  }

  private func tellTransfers(_ sink: inout some EventSink, _ fates: inout RowOutcomes) throws(BlockFault) {
    var column = self[.transfers]
    var rows = 0
    while !column.isAtEnd {
      var reason: SetAsideReason?
      for _ in 0..<(try column.length()) {
        let (alias, user, time) = (try column.text(), try column.text(), try column.time())
        let told = sink.receive(DecodedLine.Transfer(alias: alias, user: user, time: time))
        reason = reason ?? told
      }
      fates.book(reason)
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

  /// What many of the events have in common.
  private struct Template: BitwiseCopyable {
    var event: PurchaseEvent
    let traits: EventTemplate.Traits
    /// They are charges that name a transaction.
    let isCharged: Bool

    init(_ template: EventTemplate) {
      (event, traits) = (template.event, template.traits)
      isCharged = EventTemplate.isCharged(event.type, traits)
    }
  }
}

extension EventBlock.Head {
  init(_ reader: inout ColumnReader) throws(BlockFault) {
    partition = try reader.place(below: Self.anyPartition + 1)
    events = try reader.place(below: Block.mostRows + 1)
    rows = try reader.place(below: events + 1)
    transferRows = try reader.count()
  }

  func write(to column: ColumnWriter) {
    for number in [partition, events, rows, transferRows] { column.append(number) }
  }
}

extension ColumnReader {
  /// Reads the values that not every event has.
  ///
  /// - Parameter event: a charge has its transaction already.
  @inline(__always)
  fileprivate mutating func read(_ traits: EventTemplate.Traits, into event: inout PurchaseEvent) throws(BlockFault) {
    if traits.contains(.isKeyedByTransaction) {
      let low = if let transaction = event.transaction { transaction } else { try word() }
      event.key = Fingerprint(low: low)
      event.transaction = low
    } else if traits.contains(.hasKey) {
      event.key = Fingerprint(low: try word())
    } else if traits.contains(.isKeyedByContent) {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
    if traits.contains(.hasTransaction), event.transaction == nil { event.transaction = try word() }
    if traits.contains(.hasChargeKey) { event.chargeKey = try word() }
    if traits.contains(.hasAmount) { event.amountMicros = try signed() }
    if traits.contains(.hasEnd) { event.end = try time(after: event.time) }
    if traits.contains(.hasVersion) { event.version = Int64(bitPattern: try word()) }
    if traits.contains(.hasToldAt) { event.toldAt = try time(after: event.time) }
    if traits.contains(.hasRowStart) { event.rowStart = try time(after: event.time) }
    if traits.contains(.hasChain) {
      event.chain = UInt32(try place(below: 1 << 32))
      event.subscriptionGroup = UInt32(try place(below: 1 << 32))
    }
    if traits.contains(.hasDollars) { event.dollars = try signed() }
    if traits.contains(.hasReplacedChain) { event.replacedChain = UInt32(try place(below: 1 << 32)) }
  }
}
