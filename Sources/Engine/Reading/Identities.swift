import Domain

/// Which user each id stands for: anonymous ids, restored accounts and transferred purchases, followed to their end.
///
/// `a → b` and `b → c` make both `a` and `b` the user `c`. Ids that are one customer's are one user. An id nobody renamed
/// is its own user. Look-ups take no lock; what they return lives as long as the map, or is what was asked for.
package final class Identities: Sendable {
  /// Nobody is renamed: every id is its own user.
  package let isEmpty: Bool
  /// How many ids lead to themselves; each stays its own user.
  let idsInCycles: Int
  /// How many aliases the table gives to different users; each stays its own user.
  let conflicts: Int

  private let ids: ByteTable
  /// For each id's number that of the user it stands for.
  private let ends: [UInt32]

  /// A map that renames nobody.
  package static let none = IdentityLinks().finish()

  /// - Parameter next: for each id's number that of the id it leads to; `IdentityLinks.none` where it leads nowhere.
  init(_ ids: ByteTable, next: [UInt32], conflicts: Int) {
    self.ids = ids
    self.conflicts = conflicts
    (ends, idsInCycles) = Self.ends(following: next)
    isEmpty = next.isEmpty
  }

  /// The user that `id` stands for.
  @inline(__always)
  func resolve(_ id: Text) -> Text {
    isEmpty ? id : resolve(id, hash: ByteHash.hash64(id))
  }

  /// The user that `id`, whose hash is known, stands for.
  func resolve(_ id: Text, hash: UInt64) -> Text {
    ids.find(id, hash: hash).map { ids.text(Int(ends[$0])) } ?? id
  }

  /// Every id that stands for the same user as `id`, itself among them, in order of bytes.
  func ids(standingFor id: Text) -> [Identifier] {
    guard let user = ids.find(id, hash: ByteHash.hash64(id)).map({ ends[$0] }) else { return [Identifier(id)] }
    return ends.indices.filter { ends[$0] == user }.map { Identifier(ids.text($0)) }.sorted()
  }

  /// Asks for the memory that resolving an id begins with.
  @inline(__always)
  func prefetchSlot(hash: UInt64) { ids.view.prefetchSlot(hash: hash) }

  /// Asks for the memory that resolving an id goes on with.
  @inline(__always)
  func prefetchEntry(hash: UInt64) { ids.view.prefetchEntry(hash: hash) }

  /// Where each id's chain ends, and how many ids are part of a cycle. A cycle has no end, so its members stay
  /// where they are, and a chain that runs into one ends at the member it meets.
  private static func ends(following next: [UInt32]) -> (ends: [UInt32], inCycles: Int) {
    let (unknown, onPath) = (UInt32.max, UInt32.max - 1)
    var ends = [UInt32](repeating: unknown, count: next.count)
    var inCycles = 0
    var path: [Int] = []
    for start in next.indices where ends[start] == unknown {
      var at = start
      while ends[at] == unknown {
        path.append(at)
        ends[at] = next[at] == IdentityLinks.none ? UInt32(at) : onPath
        if ends[at] == onPath { at = Int(next[at]) }
      }
      if ends[at] == onPath, let first = path.firstIndex(of: at) {
        for member in path[first...] { ends[member] = UInt32(member) }
        inCycles += path.count - first
      }
      for member in path where ends[member] == onPath { ends[member] = ends[at] }
      path.removeAll(keepingCapacity: true)
    }
    return (ends, inCycles)
  }
}
