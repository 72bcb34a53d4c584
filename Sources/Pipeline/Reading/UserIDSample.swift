/// Some of many ids, the same ones whatever the order they come in: those with the smallest hashes.
struct UserIDSample: Sendable {
  /// How many are kept.
  let size: Int
  private var ids: [UInt64: [UInt8]] = [:]
  /// Hashes from here on are too large.
  private var limit = UInt64.max

  init(size: Int) {
    self.size = size
  }

  /// The ids, by hash.
  var all: [[UInt8]] { ids.sorted { $0.key < $1.key }.prefix(size).map(\.value) }

  var isEmpty: Bool { ids.isEmpty }

  /// Takes an id whose hash is known, if it is among the smallest.
  @inline(__always)
  mutating func offer(_ id: UnsafeBufferPointer<UInt8>, hash: UInt64) {
    if hash < limit { take(id, hash) }
  }

  private mutating func take(_ id: UnsafeBufferPointer<UInt8>, _ hash: UInt64) {
    guard ids[hash] == nil else { return }
    ids[hash] = Array(id.prefix(UserIDForm.shownBytes))
    shrink()
  }

  mutating func merge(_ other: UserIDSample) {
    ids.merge(other.ids) { mine, _ in mine }
    shrink()
  }

  /// Drops the larger half now and then.
  private mutating func shrink() {
    guard ids.count >= 2 * size else { return }
    let kept = ids.sorted { $0.key < $1.key }.prefix(size)
    ids = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    limit = kept.last?.key ?? .max
  }
}

/// The purchases of a log, and those of users nobody assigned.
struct Strangers: Sendable {
  /// Charges before T, copies too.
  var purchases = 0
  /// Those of users without an assignment.
  var unassigned = 0
  /// Those of them whose user's id is a spreadsheet's number.
  var spoilt = 0
  /// Ids of their users.
  private(set) var sample = UserIDSample(size: 200)

  /// Takes a purchase whose user has no assignment.
  mutating func add(_ user: UnsafeBufferPointer<UInt8>, hash: UInt64) {
    unassigned += 1
    if UserIDForm.isSpreadsheetNumber(user) { spoilt += 1 }
    sample.offer(user, hash: hash)
  }

  mutating func merge(_ other: Strangers) {
    purchases += other.purchases
    unassigned += other.unassigned
    spoilt += other.spoilt
    sample.merge(other.sample)
  }
}
