/// One thread's events by partition.
///
/// While events are read one thread has all of it; afterwards each partition is taken, and given back, by the
/// thread whose turn it is. The array of partitions itself never changes: two threads that wrote to different
/// elements of one Swift array would still race for its buffer.
final class EventChunks: Sendable {
  private let partitions: [PartitionEvents]
  let traits: EventTraitsTable
  /// What keeps events without counting references. Good while the chunks live.
  let writer: Writer

  init(partitions: Int) {
    let traits = EventTraitsTable()
    self.traits = traits
    self.partitions = (0..<partitions).map { _ in PartitionEvents(traits) }
    writer = Writer(partitions: self.partitions.map(\.writer))
  }

  /// Keeps an event of the user with that number in the partition.
  func append(_ event: PurchaseEvent, to partition: Int, user: UInt32) {
    var row = WholeRow(event)
    row.moment.traitsNumber = traits.number(of: event.traits)
    writer.append(row, to: partition, user: user)
  }

  /// Keeps events without counting references.
  struct Writer: @unchecked Sendable {
    fileprivate let partitions: [PartitionEvents.Writer]

    /// Keeps an event, whose traits are numbered, of the user with that number in the partition.
    @inline(__always)
    func append(_ row: WholeRow, to partition: Int, user: UInt32) {
      var row = row
      row.moment.userNumber = user
      partitions[partition].append(row)
    }
  }

  /// The events so far will stay.
  func finishFile() { partitions.forEach { $0.finishFile() } }

  /// Forgets what came since the last finished file.
  func abandonFile() { partitions.forEach { $0.abandonFile() } }

  /// The events of one partition.
  subscript(partition: Int) -> PartitionEvents { partitions[partition] }
}

/// One thread's events of one partition. For one thread at a time.
///
/// Three in four events of a log are paywalls shown, and take a moment's 24 bytes.
final class PartitionEvents: Sendable {
  let moments = ChunkList<EventMoment>(chunkSize: 2048)
  let sales = ChunkList<SaleRow>(chunkSize: 1024)
  let others = ChunkList<WholeRow>(chunkSize: 128)
  let traits: EventTraitsTable

  fileprivate init(_ traits: EventTraitsTable) { self.traits = traits }

  var count: Int { moments.count + sales.count + others.count }

  fileprivate var writer: Writer {
    Writer(moments: moments.writer, sales: sales.writer, others: others.writer)
  }

  fileprivate struct Writer: BitwiseCopyable {
    let moments: ChunkList<EventMoment>.Writer
    let sales: ChunkList<SaleRow>.Writer
    let others: ChunkList<WholeRow>.Writer

    @inline(__always)
    func append(_ row: WholeRow) {
      row.write(moment: { moments.append($0) }, sale: { sales.append($0) }, whole: { others.append($0) })
    }
  }

  fileprivate func finishFile() {
    moments.finishFile()
    sales.finishFile()
    others.finishFile()
  }

  fileprivate func abandonFile() {
    moments.abandonFile()
    sales.abandonFile()
    others.abandonFile()
  }

  /// Gives the memory back.
  func release() {
    moments.release()
    sales.release()
    others.release()
  }
}

// MARK: - Events that follow a charge

extension PartitionEvents {
  /// Calls `body` with the user and the transaction of every event that seeks a charge.
  func forEachFollowing(_ body: (UInt32, UInt64) -> Void) {
    forEachNamingTransaction { row, transaction in
      if row.standsAlone, traits[row.moment.traitsNumber].followsCharge { body(row.moment.userNumber, transaction) }
    }
  }

  /// Calls `body` with the user and the transaction of every charge that names one.
  func forEachCharge(_ body: (UInt32, UInt64) -> Void) {
    forEachNamingTransaction { row, transaction in
      if traits[row.moment.traitsNumber].type.isCharge { body(row.moment.userNumber, transaction) }
    }
  }

  /// A moment names no transaction.
  @inline(__always)
  private func forEachNamingTransaction(_ body: (WholeRow.Head, UInt64) -> Void) {
    sales.forEach { row in
      if let transaction = row.sale.transaction { body(.init(moment: row.moment, standsAlone: true), transaction) }
    }
    others.forEach { row in
      guard let transaction = row.sale.transaction else { return }
      body(.init(moment: row.moment, standsAlone: row.rest.version == nil), transaction)
    }
  }

  /// Takes out the events that seek a charge of which `isWanted` holds.
  func removeFollowing(where isWanted: (PurchaseEvent) -> Bool) -> [PurchaseEvent] {
    func isAccepted(_ row: some EventRow) -> Bool {
      let event = event(row)
      return event.referencedTransaction != nil && isWanted(event)
    }
    return sales.remove { isAccepted($0) }.map { event($0) } + others.remove { isAccepted($0) }.map { event($0) }
  }

  @inline(__always)
  private func event(_ row: some EventRow) -> PurchaseEvent {
    var event = PurchaseEvent()
    row.fill(&event)
    event.traits = traits[row.moment.traitsNumber]
    return event
  }
}
