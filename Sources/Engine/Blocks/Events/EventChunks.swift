/// One thread's events by partition and kind.
///
/// While events are read one thread has all of it; afterwards each partition is taken, and given back, by the
/// thread whose turn it is. The array of partitions itself never changes: two threads that wrote to different
/// elements of one Swift array would still race for its buffer.
final class EventChunks: Sendable {
  private let partitions: [PartitionEvents]
  /// What the plain records have in common.
  let common: EventTraits
  /// What keeps events without counting references. Good while the chunks live.
  let writer: Writer

  init(partitions: Int) {
    let common = EventTraits()
    self.common = common
    self.partitions = (0..<partitions).map { _ in PartitionEvents(common) }
    writer = Writer(partitions: self.partitions.map(\.writer), common: common)
  }

  /// Keeps an event of the user with that number in the partition.
  @inline(__always)
  func append(_ event: RecordedEvent, to partition: Int, user: UInt32) {
    writer.append(event, to: partition, user: user)
  }

  /// Keeps events without counting references.
  struct Writer: @unchecked Sendable {
    fileprivate let partitions: [PartitionEvents.Writer]
    fileprivate let common: EventTraits

    /// Keeps an occurrence of the user with that number in the partition.
    @inline(__always)
    func append(_ record: PlainOccurrence, to partition: Int, user: UInt32) {
      partitions[partition].plainOccurrences.append(record.of(user))
    }

    /// Keeps an event of the user with that number in the partition.
    @inline(__always)
    func append(_ event: RecordedEvent, to partition: Int, user: UInt32) {
      partitions[partition].append(event, user: user, common)
    }
  }

  /// The events so far will stay.
  func finishFile() { partitions.forEach { $0.finishFile() } }

  /// Forgets what came since the last finished file.
  func abandonFile() { partitions.forEach { $0.abandonFile() } }

  /// The events of one partition.
  subscript(partition: Int) -> PartitionEvents { partitions[partition] }
}

/// What plain records of each kind have in common.
final class EventTraits: Sendable {
  let charges = CommonTraits<PlainCharge.Traits>()
  let occurrences = CommonTraits<PlainOccurrence.Traits>()
}

/// One thread's events of one partition, by kind. For one thread at a time.
final class PartitionEvents: Sendable {
  let charges = ChunkList<ChargeRecord>(chunkSize: 256)
  let plainCharges = ChunkList<PlainCharge>(chunkSize: 1024)
  let occurrences = ChunkList<OccurrenceRecord>(chunkSize: 256)
  let plainOccurrences = ChunkList<PlainOccurrence>(chunkSize: 2048)
  let refunds = ChunkList<RefundRecord>(chunkSize: 64)
  let snapshots = ChunkList<SnapshotOccurrence>(chunkSize: 64)
  let unpriced = ChunkList<UnpricedCharge>(chunkSize: 64)
  /// What the plain records have in common, of all partitions.
  let common: EventTraits

  fileprivate init(_ common: EventTraits) {
    self.common = common
  }

  fileprivate var writer: Writer {
    Writer(
      charges: charges.writer, plainCharges: plainCharges.writer, occurrences: occurrences.writer,
      plainOccurrences: plainOccurrences.writer, refunds: refunds.writer, snapshots: snapshots.writer,
      unpriced: unpriced.writer)
  }

  fileprivate struct Writer: BitwiseCopyable {
    let charges: ChunkList<ChargeRecord>.Writer
    let plainCharges: ChunkList<PlainCharge>.Writer
    let occurrences: ChunkList<OccurrenceRecord>.Writer
    let plainOccurrences: ChunkList<PlainOccurrence>.Writer
    let refunds: ChunkList<RefundRecord>.Writer
    let snapshots: ChunkList<SnapshotOccurrence>.Writer
    let unpriced: ChunkList<UnpricedCharge>.Writer

    @inline(__always)
    func append(_ event: RecordedEvent, user: UInt32, _ common: EventTraits) {
      switch event {
      case .charge(let record):
        if let record = PlainCharge(record, user: user, among: common.charges) {
          plainCharges.append(record)
        } else {
          charges.append(record.of(user))
        }
      case .unpriced(let record): unpriced.append(record.of(user))
      case .refund(let record): refunds.append(record.of(user))
      case .occurrence(let record):
        if let record = PlainOccurrence(record, user: user, among: common.occurrences) {
          plainOccurrences.append(record)
        } else {
          occurrences.append(record.of(user))
        }
      case .snapshot(let record): snapshots.append(record.of(user))
      }
    }
  }

  fileprivate func finishFile() {
    charges.finishFile()
    occurrences.finishFile()
    plainCharges.finishFile()
    plainOccurrences.finishFile()
    refunds.finishFile()
    snapshots.finishFile()
    unpriced.finishFile()
  }

  fileprivate func abandonFile() {
    charges.abandonFile()
    occurrences.abandonFile()
    plainCharges.abandonFile()
    plainOccurrences.abandonFile()
    refunds.abandonFile()
    snapshots.abandonFile()
    unpriced.abandonFile()
  }

  /// Gives the memory back.
  func release() {
    charges.release()
    occurrences.release()
    plainCharges.release()
    plainOccurrences.release()
    refunds.release()
    snapshots.release()
    unpriced.release()
  }
}
