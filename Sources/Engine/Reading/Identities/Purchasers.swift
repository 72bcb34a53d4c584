import Domain

/// Whose the store's transactions are, as calls of the app that went well and other rows of theirs say: who sent one has
/// bought it. A device is likewise whoever's is logged in on it.
///
/// Of a subscription the first call counts: whoever restores it on another account sends it later. A user's counts before
/// any of a device that is nobody's. Where the subscription's rows name a user who makes such calls too, it is that user's,
/// whatever others send.
struct Purchasers {
  /// By call the earliest time, in milliseconds since 1970.
  private(set) var calls: [Call: Int64] = [:]
  /// Numbers of ids that the store gave: they stand for no account of the app.
  private(set) var storeIDs: Set<UInt32> = []

  /// Who sent what, by the numbers of the ids.
  struct Call: Hashable {
    var transaction: UInt32
    var user: UInt32
  }

  mutating func add(_ call: Call, time: Int64) {
    calls[call] = min(calls[call] ?? .max, time)
    storeIDs.insert(call.transaction)
  }

  mutating func add(storeID: UInt32) { storeIDs.insert(storeID) }

  /// Joins subscriptions with their buyers, and returns how many were sent by somebody else, too, or by nobody but somebody
  /// else.
  ///
  /// - Parameters:
  ///   - customers: ids that are one customer's, by the numbers of `ends`.
  ///   - ends: for each id's number that of the user it stands for by a table's row or a transfer, which count first.
  ///   - isBefore: which of two numbers' ids comes first by bytes.
  func join(_ customers: inout JoinedNumbers, ends: [UInt32], isBefore: (UInt32, UInt32) -> Bool) -> Int {
    guard !calls.isEmpty else { return 0 }
    var subscriptions: [Int: Subscription] = [:]
    let owned = Set(calls.keys.filter { !storeIDs.contains(ends[Int($0.user)]) }.map(\.transaction))
    for (call, time) in calls where ends[Int(call.transaction)] == call.transaction {
      let user = ends[Int(call.user)]
      guard user != call.transaction else { continue }
      let sent = Sent(isByDevice: storeIDs.contains(user) && !owned.contains(user), time: time, user: user)
      subscriptions[customers.root(Int(call.transaction)), default: Subscription()].calls.append(sent)
    }
    let callers = Set(subscriptions.values.flatMap { $0.calls.map(\.user) })
    findAccounts(of: &subscriptions, callers, in: &customers, ends)
    // Where some rows name those who call, rows that name somebody else mean another user, not another name of one.
    let areAccountsUsers = subscriptions.values.contains { $0.hasCaller }
    for (root, subscription) in subscriptions {
      let isNamed = subscription.hasCaller || subscription.hasAccount && areAccountsUsers
      if !isNamed, let first = subscription.first(by: isBefore) { customers.join(root, Int(first)) }
    }
    return subscriptions.count { root, subscription in
      let owner = customers.root(root)
      return subscription.calls.contains { customers.root(Int($0.user)) != owner }
    }
  }

  /// A call, or a row that says as much.
  private struct Sent {
    /// Nobody is known to have sent it but a device, which is nobody's.
    var isByDevice: Bool
    var time: Int64
    var user: UInt32
  }

  private struct Subscription {
    var calls: [Sent] = []
    /// The store's rows give an id of the app's with it.
    var hasAccount = false
    /// They give the id of somebody who makes such calls.
    var hasCaller = false

    /// Who sent it first, a device only where nobody else did; of several at one time the first by bytes.
    func first(by isBefore: (UInt32, UInt32) -> Bool) -> UInt32? {
      calls.min { one, other in
        if one.isByDevice != other.isByDevice { return other.isByDevice }
        return one.time != other.time ? one.time < other.time : isBefore(one.user, other.user)
      }?.user
    }
  }

  private func findAccounts(
    of subscriptions: inout [Int: Subscription], _ callers: Set<UInt32>, in customers: inout JoinedNumbers,
    _ ends: [UInt32]
  ) {
    for number in ends.indices where ends[number] == UInt32(number) && !storeIDs.contains(UInt32(number)) {
      let root = customers.root(number)
      guard subscriptions[root] != nil else { continue }
      subscriptions[root]?.hasAccount = true
      if callers.contains(UInt32(number)) { subscriptions[root]?.hasCaller = true }
    }
  }
}
