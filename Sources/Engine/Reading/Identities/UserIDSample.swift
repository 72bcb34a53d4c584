import Foundation

/// Some of many ids, the same ones whatever the order they come in: those with the smallest hashes.
package struct UserIDSample: Sendable {
  /// How many are kept.
  package let size: Int
  private var ids: [UInt64: [UInt8]] = [:]
  /// Hashes from here on are too large: for it, or for a sample that it will be merged into.
  fileprivate(set) var limit = UInt64.max

  init(size: Int) {
    self.size = size
  }

  /// The ids, by hash.
  package var all: [[UInt8]] { ids.sorted { $0.key < $1.key }.prefix(size).map(\.value) }

  package var isEmpty: Bool { ids.isEmpty }

  /// Takes an id whose hash is known, if it is among the smallest.
  @inline(__always)
  mutating func offer(_ id: Text, hash: UInt64) {
    if hash < limit { accept(id, hash) }
  }

  private mutating func accept(_ id: Text, _ hash: UInt64) {
    guard ids[hash] == nil else { return }
    ids[hash] = Array(id.prefix(UserIDForm.shownBytes))
    shrink()
  }

  package mutating func merge(_ other: UserIDSample) {
    ids.merge(other.ids) { mine, _ in mine }
    shrink()
  }

  /// Drops the larger half now and then.
  private mutating func shrink() {
    guard ids.count >= 2 * size else { return }
    let retained = ids.sorted { $0.key < $1.key }.prefix(size)
    ids = Dictionary(uniqueKeysWithValues: retained.map { ($0.key, $0.value) })
    limit = retained.last?.key ?? .max
  }
}

/// Only the ids that are kept in the end, their bytes as base64.
extension UserIDSample: Codable {
  private enum CodingKeys: CodingKey { case size, ids }

  package init(from decoder: any Decoder) throws {
    let reported = try decoder.container(keyedBy: CodingKeys.self)
    size = try reported.decode(Int.self, forKey: .size)
    guard (1...Self.mostRetained).contains(size) else { throw DecodingError.misplaced("a sample of \(size)", decoder) }
    ids = try reported.decode([UInt64: Data].self, forKey: .ids).mapValues(Array.init)
  }

  package func encode(to encoder: any Encoder) throws {
    var reported = encoder.container(keyedBy: CodingKeys.self)
    try reported.encode(size, forKey: .size)
    let retained = ids.sorted { $0.key < $1.key }.prefix(size).map { ($0.key, Data($0.value)) }
    try reported.encode(Dictionary(uniqueKeysWithValues: retained), forKey: .ids)
  }

  /// No sample is larger.
  private static let mostRetained = 1 << 16
}

/// The purchases of a log, and those of users nobody assigned.
package struct UnassignedPurchases: Sendable, Codable {
  /// Charges before the cut-off, copies too.
  package var purchases = 0
  /// Those of users without an assignment.
  package var unassigned = 0
  /// Ids of their users.
  package private(set) var sample = UserIDSample(size: Self.sampleSize)

  /// So many that one purchase in a thousand is among them sixteen times, were all purchases those of unassigned users.
  private static let sampleSize = 1 << 14

  /// Takes a purchase whose user has no assignment.
  package mutating func add(_ user: Text, hash: UInt64) {
    unassigned += 1
    sample.offer(user, hash: hash)
  }

  /// Ids' hashes from here on are too large for the sample, or for one that it will be merged into.
  var limit: UInt64 {
    get { sample.limit }
    set { sample.limit = newValue }
  }

  package mutating func merge(_ other: UnassignedPurchases) {
    purchases += other.purchases
    unassigned += other.unassigned
    sample.merge(other.sample)
  }
}
