import Domain

/// An event of a user the run measures, 72 bytes: what waits in memory until its partition's turn.
package struct EventRecord {
  package var time: Int64
  /// Meaningful where `hasAmount`, `isShare` and `isNet` say of what; of a charge without an exchange rate, the number
  /// of its reject; of what befell the charge of a row (`hasRowStart`), when that came; of any other event without
  /// money, the number of its code.
  var amountMicros: Int64
  /// Meaningful where `hasKey`. Keys are compared within a user only, so 64 bits do.
  package var key: UInt64
  /// Meaningful where `hasTransaction`.
  var transaction: UInt64
  /// When what began ends; of a refund or reversal, its charge's key. Meaningful where `hasExtra`.
  var extra: Int64
  /// Meaningful where `hasVersion`; of another refund, when a state was told (`isShare`), or the number of the place it
  /// is rejected at where no exchange rate is known.
  package var version: Int64
  package var user: UInt32
  package var product: UInt32
  /// Index of the file it was read from.
  package var file: UInt32
  var loggedOffering: UInt16
  var loggedGroup: UInt16
  package var type: EventType
  package var currency: Currency
  var flags: Flags
  /// Number of what the log tells beside a charge.
  package var details: UInt16

  struct Flags: OptionSet {
    let rawValue: UInt16
    static let hasAmount = Flags(rawValue: 1)
    static let hasKey = Flags(rawValue: 2)
    static let hasTransaction = Flags(rawValue: 4)
    static let hasNoRate = Flags(rawValue: 8)
    static let hasExtra = Flags(rawValue: 16)
    static let hasVersion = Flags(rawValue: 32)
    static let isCompanion = Flags(rawValue: 64)
    static let isShare = Flags(rawValue: 128)
    static let isNet = Flags(rawValue: 256)
    static let isNumbered = Flags(rawValue: 512)
    static let hasRowStart = Flags(rawValue: 1024)
    static let isRecoveredByRenewal = Flags(rawValue: 2048)
    static let isRetold = Flags(rawValue: 4096)
  }

  /// The number that stands for no logged offering or group.
  static let noName = UInt16.max

  /// A record whose user is yet to be found.
  init(_ event: PurchaseEvent, file: UInt32) {
    time = event.time
    amountMicros = event.amountMicros ?? event.rowStart ?? Int64(event.code)
    key = event.key?.low ?? 0
    transaction = event.transaction ?? 0
    let extra = event.type.isRefund ? event.chargeKey.map { Int64(bitPattern: $0) } : event.end
    self.extra = extra ?? 0
    version = event.version ?? event.toldAt ?? 0
    user = 0
    product = event.product
    self.file = file
    // More than 65,535 names of groups do not happen in a test; those beyond count as not logged.
    loggedOffering = UInt16(truncatingIfNeeded: min(event.loggedOffering, UInt32(Self.noName)))
    loggedGroup = UInt16(truncatingIfNeeded: min(event.loggedGroup, UInt32(Self.noName)))
    type = event.type
    currency = event.currency
    details = event.details
    flags = []
    if event.amountMicros != nil { flags.insert(.hasAmount) }
    if event.key != nil { flags.insert(.hasKey) }
    if event.transaction != nil { flags.insert(.hasTransaction) }
    if extra != nil { flags.insert(.hasExtra) }
    if event.version != nil { flags.insert(.hasVersion) }
    if event.isCompanion { flags.insert(.isCompanion) }
    if event.isShare { flags.insert(.isShare) }
    if event.isNet { flags.insert(.isNet) }
    if event.isNumbered { flags.insert(.isNumbered) }
    if event.rowStart != nil { flags.insert(.hasRowStart) }
    if event.isRecoveredByRenewal { flags.insert(.isRecoveredByRenewal) }
    if event.isRetold { flags.insert(.isRetold) }
  }

  /// When the access, the trial or the grace that began ends; nil where the log does not tell, and of refunds.
  package var end: Int64? { flags.contains(.hasExtra) && !type.isRefund ? extra : nil }
  /// The key of the charge that a refund or reversal concerns; nil where it names a transaction alone.
  var chargeKey: UInt64? { flags.contains(.hasExtra) && type.isRefund ? UInt64(bitPattern: extra) : nil }
  /// Number of the code an event without money carries; `Interner.none` where it carries none.
  package var code: UInt32 {
    type.isCharge || type.isRefund || flags.contains(.hasRowStart)
      ? Interner.none : UInt32(truncatingIfNeeded: amountMicros)
  }
  /// When the charge came whose row tells this event; nil where no row of a charge does.
  var rowStart: Int64? { flags.contains(.hasRowStart) ? amountMicros : nil }
  /// The amount; nil of what names none.
  var amount: Int64? { flags.contains(.hasAmount) ? amountMicros : nil }
  /// Number of the reject it becomes where no exchange rate is known.
  var rejectNumber: Int { Int(type.isRefund ? version : amountMicros) }
  /// A refund that tells how its charge stands, and not what was given back this time.
  var tellsState: Bool { !flags.isDisjoint(with: [.isShare, .hasVersion]) }
}

/// One thread's events by partition.
///
/// While events are read one thread has all of it; afterwards each partition is taken, and given back, by the
/// thread whose turn it is. The array of partitions itself never changes: two threads that wrote to different
/// elements of one Swift array would still race for its buffer.
final class EventChunks: Sendable {
  private let partitions: [PartitionChunks]

  init(partitions: Int) {
    self.partitions = (0..<partitions).map { _ in PartitionChunks() }
  }

  @inline(__always)
  func append(_ record: EventRecord, to partition: Int) { partitions[partition].append(record) }

  /// The events so far will stay.
  func finishFile() { partitions.forEach { $0.finishFile() } }

  /// Forgets what came since the last finished file.
  func abandonFile() { partitions.forEach { $0.abandonFile() } }

  /// Calls `body` for every event of the partition.
  @inline(__always)
  func forEach(_ partition: Int, _ body: (borrowing EventRecord) -> Void) { partitions[partition].forEach(body) }

  /// Gives a partition's memory back.
  func release(_ partition: Int) { partitions[partition].release() }
}

/// Events in chunks that are filled once and never moved. For one thread at a time.
private final class PartitionChunks: @unchecked Sendable {
  private var chunks: [UnsafeMutablePointer<EventRecord>] = []
  private var count = 0
  /// The count when the last file was finished.
  private var finished = 0

  private static let chunkSize = 1024

  deinit { release() }

  @inline(__always)
  func append(_ record: EventRecord) {
    let place = count % Self.chunkSize
    if place == 0, count / Self.chunkSize == chunks.count { chunks.append(.allocate(capacity: Self.chunkSize)) }
    chunks[count / Self.chunkSize][place] = record
    count += 1
  }

  func finishFile() { finished = count }
  func abandonFile() { count = finished }

  @inline(__always)
  func forEach(_ body: (borrowing EventRecord) -> Void) {
    var remaining = count
    for chunk in chunks {
      for place in 0..<min(remaining, Self.chunkSize) { body(chunk[place]) }
      remaining -= min(remaining, Self.chunkSize)
    }
  }

  func release() {
    chunks.forEach { $0.deallocate() }
    chunks = []
    count = 0
    finished = 0
  }
}
