import Domain

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
  /// Blocks of the file at hand.
  private var pieces: [BlockPiece] = []
  /// Why a block could not be written; nothing is written from then on.
  private var failure: (any Error)?
  /// Index of the file being read, among the log's.
  var file: UInt32 = 0
  /// How the calls for an offering went that the last finished file tells of.
  private(set) var calls = OfferingCalls()
  private var counting = OfferingCalls()

  /// - Parameter cutoff: in milliseconds since 1970.
  init(
    _ partitions: any PartitionedBlocks, identities: Identities, rates: ExchangeRates, cutoff: Int64,
    names: EventNames, types: EventTypes
  ) {
    self.partitions = partitions
    self.identities = identities
    self.rates = rates
    self.cutoff = cutoff
    (self.names, self.types) = (names, types)
    writers = (0..<partitions.partitionCount).map { _ in nil }
  }

  /// - Throws: `OfferliftError` (73 or 74) where the disk did not take all.
  func check() throws {
    if let failure { throw failure }
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    guard failure == nil else { return }
    var event = event
    event.user = identities.resolve(event.user)
    let hash = ByteHash.hash64(event.user)
    let partition = partitions.partition(ofHash: hash)
    let writer = writer(of: partition)
    if writer.isFull { write(writer, of: partition) }
    writer.append(event, hash: hash)
    if rates.mayLack(event) { writer.keep(place()) }
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
      if let writer, !writer.isEmpty { write(writer, of: partition) }
    }
    partitions.keep(pieces)
    (calls, counting) = (counting, OfferingCalls())
    pieces = []
  }

  mutating func abandonFile() {
    for case let writer? in writers where !writer.isEmpty { _ = writer.finish() }
    (calls, counting) = (OfferingCalls(), OfferingCalls())
    pieces = []
  }

  private mutating func writer(of partition: Int) -> EventBlockWriter {
    if let writer = writers[partition] { return writer }
    let writer = EventBlockWriter(names: names, types: types, mostEvents: partitions.rowsOfBlock)
    writers[partition] = writer
    return writer
  }

  private mutating func write(_ writer: EventBlockWriter, of partition: Int) {
    do {
      pieces.append(try partitions.write(writer.finish(), .events, of: partition, from: file))
    } catch {
      failure = failure ?? error
    }
  }
}
