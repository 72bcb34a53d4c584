import Domain
import Measurement

/// Writes events into their users' partitions on a disk, whoever is assigned: that is looked at when a partition is
/// read back.
struct PartitioningSink: EventSink {
  private let partitions: any PartitionedBlocks
  private let identities: Identities
  private let rates: ExchangeRates
  private let cutoff: Int64
  private let names: EventNames
  private let types: EventTypes
  /// By partition; nil where none of its events has come yet.
  private var writers: [EventBlockWriter?]
  /// Events that follow a charge, until it is known who has that; nil where that is settled.
  private var separated: SeparatedEvents?
  /// Blocks of the file at hand.
  private var pieces: [BlockPiece] = []
  /// Why a block could not be written; nothing is written from then on.
  private var failure: (any Error)?
  /// Index of the file being read, among the log's.
  var file: UInt32 = 0
  /// How the calls for an offering went that the last finished file tells of.
  private(set) var calls = OfferingCalls()
  private var counting = OfferingCalls()

  /// - Parameters:
  ///   - cutoff: in milliseconds since 1970.
  ///   - separates: events that follow a charge go by its transaction, for `DependentEventsInBlocks`; else they are their
  ///     users', as they are told.
  init(
    _ partitions: any PartitionedBlocks, identities: Identities, rates: ExchangeRates, cutoff: Int64,
    names: EventNames, types: EventTypes, separates: Bool
  ) {
    self.partitions = partitions
    self.identities = identities
    self.rates = rates
    self.cutoff = cutoff
    (self.names, self.types) = (names, types)
    writers = (0..<partitions.partitionCount).map { _ in nil }
    separated = separates ? SeparatedEvents(partitions, names: names, types: types) : nil
  }

  /// - Throws: `OfferliftError` (73 or 74) where the disk did not take all.
  func check() throws {
    if let failure { throw failure }
  }

  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    guard failure == nil else { return }
    var event = event
    event.user = identities.resolve(event.user)
    let hash = ByteHash.hash64(event.user)
    if separated != nil {
      if let transaction = event.referencedTransaction { return separate(event, transaction, position) }
      if event.countsAsCharge(before: cutoff), let transaction = event.transaction {
        write(separated?.claim(transaction, of: event.user))
      }
    }
    let partition = partitions.partition(ofHash: hash)
    let writer = writer(of: partition)
    if writer.isFull {
      write(SeparatedEvents.Full(block: writer.finish(), kind: .events, partition: partition))
    }
    writer.append(event)
    if rates.mayLack(event) { writer.retain(position()) }
  }

  private mutating func separate(_ event: PurchaseEvent, _ transaction: UInt64, _ position: () -> Reject) {
    let position = rates.mayLack(event) ? position() : nil
    write(separated?.append(event, following: transaction, position: position))
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    transfer.time < cutoff ? nil : .afterCutoff
  }

  mutating func receive(_ call: DecodedLine.Call) {
    if call.time < cutoff { counting.add(call.outcome) }
  }

  mutating func finishBatch() {}

  mutating func finishFile() {
    for (partition, writer) in writers.enumerated() {
      if let writer, !writer.isEmpty {
        write(SeparatedEvents.Full(block: writer.finish(), kind: .events, partition: partition))
      }
    }
    for full in separated?.finish() ?? [] { write(full) }
    partitions.retain(pieces)
    (calls, counting) = (counting, OfferingCalls())
    pieces = []
  }

  mutating func abandonFile() {
    for case let writer? in writers where !writer.isEmpty { _ = writer.finish() }
    _ = separated?.finish()
    (calls, counting) = (OfferingCalls(), OfferingCalls())
    pieces = []
  }

  private mutating func writer(of partition: Int) -> EventBlockWriter {
    if let writer = writers[partition] { return writer }
    let writer = EventBlockWriter(names: names, types: types, mostEvents: partitions.rowsOfBlock)
    writers[partition] = writer
    return writer
  }

  private mutating func write(_ full: SeparatedEvents.Full?) {
    guard let full else { return }
    do {
      pieces.append(try partitions.write(full.block, full.kind, of: full.partition, from: file))
    } catch {
      failure = failure ?? error
    }
  }
}

extension PurchaseEvent {
  /// It is a charge that a run counts, whoever its user is.
  fileprivate func countsAsCharge(before cutoff: Int64) -> Bool {
    traits.type.isCharge && !traits.isSandbox && !traits.isFamilyShared && moment.time < cutoff
  }
}
