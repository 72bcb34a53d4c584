/// What the ids of the assigned users look like beside those of purchases that nobody was assigned for.
package struct AssignedIDs: Sendable, Codable {
  /// Users with an assignment.
  package private(set) var users = 0
  /// Some of their ids.
  package private(set) var sample = UserIDSample(size: 3)
  /// Assigned ids by the purchases' id that they equal but for how it is written; of several the first by bytes.
  package private(set) var lookalikes: [[UInt8]: [UInt8]] = [:]

  /// The ids of purchases to look for, by their loose hash, and a quick no for most others: by their ends, which takes
  /// no walk over their bytes, and by the hash.
  struct Wanted: Sendable {
    fileprivate var ids: [UInt64: [[UInt8]]] = [:]
    /// Ids that are numbers beyond 2^53, by what is left of them where they are rounded.
    fileprivate var rounded: [UInt64: [(id: [UInt8], isRounded: Bool)]] = [:]
    private var bits = [UInt64](repeating: 0, count: 1 << 12)
    private var ends = [UInt64](repeating: 0, count: 1 << 12)

    init(_ unassigned: UnassignedPurchases) {
      for id in unassigned.sample.all {
        let hash = id.withText(UserIDForm.looseHash)
        self.ids[hash, default: []].append(id)
        bits[Int(hash >> 6 & 4095)] |= 1 << (hash & 63)
        if let number = id.withText({ RoundedID($0) }) {
          rounded[number.number, default: []].append((id, number.isRounded))
        }
        guard let end = id.withText(UserIDForm.looseEnd).map(Self.position) else { continue }
        ends[Int(end >> 6)] |= 1 << UInt64(end & 63)
      }
    }

    /// One of 262,144 places for an end. Source of the constant: 2^32 divided by the golden ratio.
    @inline(__always)
    private static func position(ofEnd end: UInt32) -> UInt32 { (end &* 0x9e37_79b9) >> 14 }

    @inline(__always)
    fileprivate func mayHave(_ id: Text) -> Bool {
      guard let end = UserIDForm.quickLooseEnd(id).map(Self.position) else { return true }
      return ends[Int(end >> 6)] & 1 << UInt64(end & 63) != 0
    }

    @inline(__always)
    fileprivate func mayHave(_ hash: UInt64) -> Bool { bits[Int(hash >> 6 & 4095)] & 1 << (hash & 63) != 0 }
  }

  /// Looks at the id of a user.
  mutating func accept(_ id: Text, _ wanted: Wanted) {
    users += 1
    sample.offer(id, hash: ByteHash.hash64(id))
    guard !wanted.ids.isEmpty else { return }
    if !wanted.rounded.isEmpty, id.count >= 16 { acceptRounded(id, wanted) }
    guard wanted.mayHave(id) else { return }
    let hash = UserIDForm.looseHash(id)
    guard wanted.mayHave(hash), let unassigned = wanted.ids[hash] else { return }
    for stranger in unassigned { addLookalike(Array(id.prefix(UserIDForm.shownBytes)), of: stranger) }
  }

  /// A number beyond 2^53 looks like others that are rounded to one; at least one of the two must be.
  private mutating func acceptRounded(_ id: Text, _ wanted: Wanted) {
    guard let number = RoundedID(id), let unassigned = wanted.rounded[number.number] else { return }
    for stranger in unassigned where number.isRounded || stranger.isRounded {
      addLookalike(Array(id.prefix(UserIDForm.shownBytes)), of: stranger.id)
    }
  }

  private mutating func addLookalike(_ id: [UInt8], of stranger: [UInt8]) {
    if let known = lookalikes[stranger], known.lexicographicallyPrecedes(id) { return }
    lookalikes[stranger] = id
  }

  mutating func merge(_ other: AssignedIDs) {
    users += other.users
    sample.merge(other.sample)
    for (stranger, id) in other.lookalikes { addLookalike(id, of: stranger) }
  }
}
