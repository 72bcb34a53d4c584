import Domain
import Synchronization

/// Collects which ids are one customer's, and who is an alias of whom, from tables and logs, by any thread and in any
/// order.
package final class IdentityLinks: Sendable {
  static let none = UInt32.max
  /// Two rows name different users.
  fileprivate static let conflict = UInt32.max - 1

  private let state = Mutex(State())

  fileprivate struct State {
    var ids = ByteTable()
    /// For each id's number that of the user a table row names, `none` or `conflict`.
    var rows: [UInt32] = []
    /// By the number of the id purchases were transferred from.
    var transfers: [UInt32: Transfer] = [:]
    var customers = JoinedNumbers()
    var purchasers = Purchasers()
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

  /// Takes two ids of one customer, whichever of them is called the alias of the other.
  func addAlias(_ id: Text, _ other: Text) {
    state.withLock { $0.join(id, other) }
  }

  /// Takes two ids that the store gave to one subscription.
  func addSubscription(_ id: Text, _ other: Text) {
    state.withLock { state in
      state.join(id, other)
      for id in [id, other] { state.add(storeID: id) }
    }
  }

  /// Takes an id as one that the store gave.
  func addStoreID(_ id: Text) {
    state.withLock { $0.add(storeID: id) }
  }

  /// Takes that a user sent the store's id `id`, at `time` in milliseconds since 1970, and that it was good.
  func addBuyer(_ user: Text, of id: Text, time: Int64) {
    state.withLock { $0.addBuyer(user, of: id, time) }
  }

  /// Takes all that `other` has collected; what a damaged file said can so be kept apart and forgotten.
  package func merge(_ other: IdentityLinks) {
    let theirs = other.accept()
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
      theirs.customers.forEachPair { state.join(theirs.ids.text($0), theirs.ids.text($1)) }
      for id in theirs.purchasers.storeIDs { state.add(storeID: theirs.ids.text(Int(id))) }
      for (call, time) in theirs.purchasers.calls {
        state.addBuyer(theirs.ids.text(Int(call.user)), of: theirs.ids.text(Int(call.transaction)), time)
      }
    }
  }

  /// Calls `body` with everyone who sent an id of the store's, in no order: that id, the user, the earliest time.
  func forEachBuyer(_ body: (Text, Text, Int64) -> Void) {
    state.withLock { state in
      for (call, time) in state.purchasers.calls {
        body(state.ids.text(Int(call.transaction)), state.ids.text(Int(call.user)), time)
      }
    }
  }

  /// Calls `body` with every id that the store gave, in no order.
  func forEachStoreID(_ body: (Text) -> Void) {
    state.withLock { state in
      for id in state.purchasers.storeIDs { body(state.ids.text(Int(id))) }
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

  /// Calls `body` with as many pairs of ids as tell which are one customer's, in no order.
  func forEachAlias(_ body: (Text, Text) -> Void) {
    state.withLock { state in
      state.customers.forEachPair { body(state.ids.text($0), state.ids.text($1)) }
    }
  }

  /// The map, all chains followed. Call it once, when everything has been added: what was collected is given up.
  ///
  /// What a table's row or a transfer says leads from one id to another, and is followed first; then the users at the
  /// ends of what is one customer's ids are one, so that no customer's ids lead round in a circle.
  package func finish() -> Identities {
    let state = accept()
    var next = state.rows.map { $0 == Self.conflict ? Self.none : $0 }
    for (number, transfer) in state.transfers where state.rows[Int(number)] == Self.none {
      next[Int(number)] = transfer.user
    }
    let (ends, inCycles) = Self.ends(following: next)
    var customers = state.customers(of: ends)
    let disputes = state.purchasers.join(&customers, ends: ends) { state.isBefore($0, $1) }
    let names = state.names(of: customers)
    return Identities(
      state.ids, ends: ends.map { names[Int($0)] }, idsInCycles: inCycles,
      conflicts: state.rows.count { $0 == Self.conflict }, disputes: disputes)
  }

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
        ends[at] = next[at] == none ? UInt32(at) : onPath
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

  private func accept() -> State {
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

  fileprivate mutating func join(_ id: Text, _ other: Text) {
    customers.join(number(id), number(other))
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
    let transfer = IdentityLinks.Transfer(time: time, user: UInt32(to))
    if let known = transfers[UInt32(from)], !isLater(transfer, than: known) { return }
    transfers[UInt32(from)] = transfer
  }

  /// Of two at one time that to the id greatest by bytes is the later.
  private func isLater(_ transfer: IdentityLinks.Transfer, than other: IdentityLinks.Transfer) -> Bool {
    if transfer.time != other.time { return transfer.time > other.time }
    return ids.text(Int(other.user)).lexicographicallyPrecedes(ids.text(Int(transfer.user)))
  }

  fileprivate mutating func add(storeID id: Text) { purchasers.add(storeID: UInt32(number(id))) }

  fileprivate mutating func addBuyer(_ user: Text, of id: Text, _ time: Int64) {
    purchasers.add(Purchasers.Call(transaction: UInt32(number(id)), user: UInt32(number(user))), time: time)
  }

  /// Which of two ids comes first by bytes.
  fileprivate func isBefore(_ id: UInt32, _ other: UInt32) -> Bool {
    ids.text(Int(id)).lexicographicallyPrecedes(ids.text(Int(other)))
  }

  /// Which of the ids at the ends of chains are one customer's.
  fileprivate func customers(of ends: [UInt32]) -> JoinedNumbers {
    var joined = JoinedNumbers()
    customers.forEachPair { joined.join(Int(ends[$0]), Int(ends[$1])) }
    return joined
  }

  /// For each id's number that of the id by which its customer goes: one that the app gave before one of the store's or one
  /// that a vendor made up, then the first by bytes.
  fileprivate func names(of joined: JoinedNumbers) -> [UInt32] {
    var names = rows.indices.map(UInt32.init)
    joined.forEachPair { member, root in
      if isBetterName(member, than: Int(names[root])) { names[root] = UInt32(member) }
    }
    joined.forEachPair { member, root in names[member] = names[root] }
    return names
  }

  private func isBetterName(_ id: Int, than other: Int) -> Bool {
    let isOfStore = (purchasers.storeIDs.contains(UInt32(id)), purchasers.storeIDs.contains(UInt32(other)))
    if isOfStore.0 != isOfStore.1 { return isOfStore.1 }
    let (id, other) = (ids.text(id), ids.text(other))
    if id.isAnonymous != other.isAnonymous { return other.isAnonymous }
    return id.lexicographicallyPrecedes(other)
  }
}

extension Text {
  /// Whether a vendor gave this id to a customer whom the app had not named.
  var isAnonymous: Bool { PurchaseCatalog.anonymousIDs.contains { starts(with: $0) } }
}
