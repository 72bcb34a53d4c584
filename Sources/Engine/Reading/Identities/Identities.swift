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
  /// How many subscriptions were sent by several users, or by others than the store's rows name; each is one user's.
  let disputes: Int

  private let ids: ByteTable
  /// For each id's number that of the user it stands for.
  private let ends: [UInt32]

  /// A map that renames nobody.
  package static let none = IdentityLinks().finish()

  /// - Parameter ends: for each id's number that of the user it stands for.
  init(_ ids: ByteTable, ends: [UInt32], idsInCycles: Int, conflicts: Int, disputes: Int) {
    self.ids = ids
    self.ends = ends
    self.idsInCycles = idsInCycles
    self.conflicts = conflicts
    self.disputes = disputes
    isEmpty = ends.isEmpty
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
}
