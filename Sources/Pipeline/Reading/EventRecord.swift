/// An event of a user the run measures, 64 bytes: what waits in memory until its partition's turn.
struct EventRecord {
  var time: Int64
  /// Meaningful where `hasAmount`; of a charge without an exchange rate, the number of its reject.
  var amountMicros: Int64
  /// Meaningful where `hasKey`.
  var key: Fingerprint
  /// Meaningful where `hasTransaction`.
  var transaction: UInt64
  var user: UInt32
  var product: UInt32
  /// Index of the file it was read from.
  var file: UInt32
  var loggedOffering: UInt16
  var loggedGroup: UInt16
  var type: EventType
  var currency: Currency
  var flags: Flags

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let hasAmount = Flags(rawValue: 1)
    static let hasKey = Flags(rawValue: 2)
    static let hasTransaction = Flags(rawValue: 4)
    static let hasNoRate = Flags(rawValue: 8)
  }

  /// The number that stands for no logged offering or group.
  static let noName = UInt16.max

  init(_ event: PurchaseEvent, user: UInt32, file: UInt32) {
    time = event.time
    amountMicros = event.amountMicros ?? 0
    key = event.key ?? Fingerprint((0, 0, 0), space: 0)
    transaction = event.transaction ?? 0
    self.user = user
    product = event.product
    self.file = file
    // More than 65,535 names of groups do not happen in a test; those beyond count as not logged.
    loggedOffering = UInt16(truncatingIfNeeded: min(event.loggedOffering, UInt32(Self.noName)))
    loggedGroup = UInt16(truncatingIfNeeded: min(event.loggedGroup, UInt32(Self.noName)))
    type = event.type
    currency = event.currency
    flags = []
    if event.amountMicros != nil { flags.insert(.hasAmount) }
    if event.key != nil { flags.insert(.hasKey) }
    if event.transaction != nil { flags.insert(.hasTransaction) }
  }
}

/// One thread's events by partition, in chunks that are filled once and never moved.
final class EventChunks: @unchecked Sendable {
  private var chunks: [[UnsafeMutablePointer<EventRecord>]]
  private var counts: [Int]
  /// The counts when the last file was finished.
  private var finished: [Int]

  private static let chunkSize = 1024

  init(partitions: Int) {
    chunks = Array(repeating: [], count: partitions)
    counts = Array(repeating: 0, count: partitions)
    finished = counts
  }

  deinit {
    for partition in chunks.indices { release(partition) }
  }

  @inline(__always)
  func append(_ record: EventRecord, to partition: Int) {
    let count = counts[partition]
    let place = count % Self.chunkSize
    if place == 0, count / Self.chunkSize == chunks[partition].count {
      chunks[partition].append(.allocate(capacity: Self.chunkSize))
    }
    chunks[partition][count / Self.chunkSize][place] = record
    counts[partition] = count + 1
  }

  func finishFile() { finished = counts }

  /// Forgets what came since the last finished file.
  func abandonFile() { counts = finished }

  func count(_ partition: Int) -> Int { counts[partition] }

  /// Calls `body` for every event of the partition.
  @inline(__always)
  func forEach(_ partition: Int, _ body: (borrowing EventRecord) -> Void) {
    var remaining = counts[partition]
    for chunk in chunks[partition] {
      for place in 0..<min(remaining, Self.chunkSize) { body(chunk[place]) }
      remaining -= min(remaining, Self.chunkSize)
    }
  }

  /// Gives a partition's memory back.
  func release(_ partition: Int) {
    chunks[partition].forEach { $0.deallocate() }
    chunks[partition] = []
    counts[partition] = 0
  }
}
