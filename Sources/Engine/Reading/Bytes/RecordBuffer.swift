/// Records that are added one after another and forgotten all at once, as those of user after user: memory is taken once.
package struct RecordBuffer<Record: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Record>?
  private var capacity = 0
  package private(set) var count = 0

  init() {}

  deinit { base?.deallocate() }

  package var isEmpty: Bool {
    @inline(__always) get { count == 0 }
  }

  /// The records so far: good until another one is added, and while the buffer lives.
  package var span: RecordSpan<Record> {
    @inline(__always) get { RecordSpan(base: base, count: count) }
  }

  /// Adds a record.
  @inline(__always)
  mutating func append(_ record: Record) {
    if count == capacity { grow(toHold: count &+ 1) }
    (base.unsafelyUnwrapped + count).initialize(to: record)
    count &+= 1
  }

  /// Adds records, which are not the buffer's own.
  @inline(__always)
  mutating func append(contentsOf records: RecordSpan<Record>) {
    if capacity &- count < records.count { grow(toHold: count &+ records.count) }
    for record in records {
      (base.unsafelyUnwrapped + count).initialize(to: record)
      count &+= 1
    }
  }

  /// Adds all records of a sequence.
  mutating func append(each records: some Sequence<Record>) {
    for record in records { append(record) }
  }

  /// Forgets the records and keeps their memory.
  @inline(__always)
  mutating func removeAll() { count = 0 }

  /// So many records, all alike.
  mutating func fill(with record: Record, count: Int) {
    removeAll()
    if count > capacity { grow(toHold: count) }
    base?.initialize(repeating: record, count: count)
    self.count = count
  }

  /// Room for so many records that come in no order: each has to be put at its place.
  init(room total: Int) {
    guard total > 0 else { return }
    base = .allocate(capacity: total)
    (capacity, count) = (total, total)
  }

  /// Fills a place for which there is room.
  @inline(__always)
  func put(_ record: borrowing Record, at position: Int) {
    precondition(position >= 0 && position < count)
    (base.unsafelyUnwrapped + position).initialize(to: copy record)
  }

  private mutating func grow(toHold needed: Int) {
    let larger = Swift.max(needed, capacity * 2, 8)
    let new = UnsafeMutablePointer<Record>.allocate(capacity: larger)
    if let base {
      new.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = new
    capacity = larger
  }
}
