import Domain
import Synchronization

/// Which user each id stands for: anonymous ids, restored accounts and transferred purchases, followed to their end.
///
/// `a → b` and `b → c` make both `a` and `b` the user `c`. An id nobody renamed is its own user. Look-ups take no
/// lock; what they return lives as long as the map, or is what was asked for.
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

  fileprivate init(_ ids: ByteTable, next: [UInt32], conflicts: Int) {
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

/// Collects who is an alias of whom, from tables and transfers, by any thread and in any order.
package final class IdentityLinks: Sendable {
  fileprivate static let none = UInt32.max
  /// Two rows name different users.
  fileprivate static let conflict = UInt32.max - 1

  private let state = Mutex(State())

  fileprivate struct State {
    var ids = ByteTable()
    /// For each id's number that of the user a table row names, `none` or `conflict`.
    var rows: [UInt32] = []
    /// By the number of the id purchases were transferred from.
    var transfers: [UInt32: Transfer] = [:]
  }

  fileprivate struct Transfer {
    /// Milliseconds since 1970.
    var time: Int64
    var user: UInt32
  }

  /// Takes a table's row; one that names its alias as the user says nothing.
  package func add(alias: Text, user: Text) {
    state.withLock { $0.add(alias, user) }
  }

  /// Takes the transfer of one id's purchases to another, at `time` in milliseconds since 1970.
  ///
  /// Of an id's transfers the latest counts, of several at one time that to the id greatest by bytes; a table's
  /// row counts before any.
  func addTransfer(alias: Text, user: Text, time: Int64) {
    state.withLock { $0.addTransfer(alias, user, time) }
  }

  /// Takes all that `other` has collected; what a damaged file said can so be kept apart and forgotten.
  package func merge(_ other: IdentityLinks) {
    let theirs = other.take()
    state.withLock { state in
      for (number, user) in theirs.rows.enumerated() where user != Self.none {
        if user == Self.conflict {
          let own = state.number(theirs.ids.text(number))
          state.rows[own] = Self.conflict
        } else {
          state.add(theirs.ids.text(number), theirs.ids.text(Int(user)))
        }
      }
      for (number, transfer) in theirs.transfers {
        state.addTransfer(theirs.ids.text(Int(number)), theirs.ids.text(Int(transfer.user)), transfer.time)
      }
    }
  }

  /// Calls `body` with every transfer that counts so far, in no order: the id it is from, the user it is to, its time.
  func forEachTransfer(_ body: (Text, Text, Int64) -> Void) {
    state.withLock { state in
      for (number, transfer) in state.transfers {
        body(state.ids.text(Int(number)), state.ids.text(Int(transfer.user)), transfer.time)
      }
    }
  }

  /// The map, all chains followed. Call it once, when everything has been added: what was collected is given up.
  package func finish() -> Identities {
    let state = take()
    var next = state.rows
    var conflicts = 0
    for (number, transfer) in state.transfers where next[Int(number)] == Self.none {
      next[Int(number)] = transfer.user
    }
    for number in next.indices where next[number] == Self.conflict {
      next[number] = Self.none
      conflicts += 1
    }
    return Identities(state.ids, next: next, conflicts: conflicts)
  }

  private func take() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}

extension IdentityLinks.State {
  /// The id's number, a new one where it was not there.
  fileprivate mutating func number(_ id: Text) -> Int {
    let number = ids.insert(id, hash: ByteHash.hash64(id))
    if number == rows.count { rows.append(IdentityLinks.none) }
    return number
  }

  fileprivate mutating func add(_ alias: Text, _ user: Text) {
    let (from, to) = (number(alias), number(user))
    guard from != to else { return }
    let known = rows[from]
    rows[from] = known == IdentityLinks.none || known == UInt32(to) ? UInt32(to) : IdentityLinks.conflict
  }

  fileprivate mutating func addTransfer(
    _ alias: Text, _ user: Text, _ time: Int64
  ) {
    let (from, to) = (number(alias), number(user))
    guard from != to else { return }
    if let known = transfers[UInt32(from)] {
      let isLater = time != known.time ? time > known.time : ids.text(Int(known.user)).lexicographicallyPrecedes(user)
      guard isLater else { return }
    }
    transfers[UInt32(from)] = IdentityLinks.Transfer(time: time, user: UInt32(to))
  }
}
