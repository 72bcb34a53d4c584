/// Sends the events that follow a charge, and who has which charge, into partitions of transactions: what is said of one
/// transaction comes together there, whoever its user is said to be.
struct SeparatedEvents {
  private let partitions: any PartitionedBlocks
  private let names: EventNames
  private let types: EventTypes
  /// By partition of transactions; nil where nothing of it has come yet.
  private var events: [EventBlockWriter?]
  private var claims: [ClaimBlockWriter?]

  /// A block that takes no more.
  struct Full {
    /// Nil where it is too long for one.
    var block: [UInt8]?
    var kind: Block.Kind
    var partition: Int
  }

  init(_ partitions: any PartitionedBlocks, names: EventNames, types: EventTypes) {
    self.partitions = partitions
    (self.names, self.types) = (names, types)
    events = (0..<partitions.partitionCount).map { _ in nil }
    claims = (0..<partitions.partitionCount).map { _ in nil }
  }

  /// Takes an event that follows the transaction's charge, and returns a block to be written, if there is one now.
  ///
  /// - Parameter position: stands for the event's row where that may be asked for.
  mutating func append(_ event: PurchaseEvent, following transaction: UInt64, position: Reject?) -> Full? {
    let partition = partitions.partition(ofHash: transaction)
    let writer = events[partition] ?? EventBlockWriter(names: names, types: types, mostEvents: partitions.rowsOfBlock)
    events[partition] = writer
    let full = writer.isFull ? Full(block: writer.finish(.following), kind: .following, partition: partition) : nil
    writer.append(event)
    if let position { writer.retain(position) }
    return full
  }

  /// Takes that a user has the transaction's charge; otherwise as `append`.
  mutating func claim(_ transaction: UInt64, of user: Text) -> Full? {
    let partition = partitions.partition(ofHash: transaction)
    let writer = claims[partition] ?? ClaimBlockWriter(mostClaims: partitions.rowsOfBlock)
    claims[partition] = writer
    writer.append(transaction, of: user)
    return writer.isFull ? Full(block: writer.finish(), kind: .claims, partition: partition) : nil
  }

  /// Blocks of all that waits, which waits no more.
  func finish() -> [Full] {
    let rest = events.enumerated().compactMap { partition, writer in
      writer.flatMap { $0.isEmpty ? nil : Full(block: $0.finish(.following), kind: .following, partition: partition) }
    }
    return rest
      + claims.enumerated().compactMap { partition, writer in
        writer.flatMap { $0.isEmpty ? nil : Full(block: $0.finish(), kind: .claims, partition: partition) }
      }
  }
}
