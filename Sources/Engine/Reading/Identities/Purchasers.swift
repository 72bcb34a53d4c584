import Domain

/// Whose the store's transactions are, as calls of the app that went well say: who sent one has bought it.
///
/// Of a subscription the first call counts: whoever restores it on another account sends it later. Where the subscription's
/// rows name a user who makes such calls too, it is that user's, whatever others send.
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
    for (call, time) in calls where ends[Int(call.transaction)] == call.transaction {
      let user = ends[Int(call.user)]
      subscriptions[customers.root(Int(call.transaction)), default: Subscription()].calls.append((time, user))
    }
    let callers = Set(subscriptions.values.flatMap { $0.calls.map(\.user) })
    findAccounts(of: &subscriptions, callers, in: &customers, ends)
    // Where some rows name those who call, rows that name somebody else mean another user, not another name of one.
    let areAccountsUsers = subscriptions.values.contains { $0.hasCaller }
    var buyers: [(subscription: Int, user: UInt32)] = []
    var conflicts = 0
    for (root, subscription) in subscriptions {
      guard let first = subscription.first(by: isBefore) else { continue }
      let isNamed = subscription.hasCaller || subscription.hasAccount && areAccountsUsers
      let buyer = isNamed ? root : customers.root(Int(first))
      if subscription.calls.contains(where: { customers.root(Int($0.user)) != buyer }) { conflicts += 1 }
      if !isNamed { buyers.append((root, first)) }
    }
    for (root, user) in buyers { customers.join(root, Int(user)) }
    return conflicts
  }

  private struct Subscription {
    var calls: [(time: Int64, user: UInt32)] = []
    /// The store's rows give an id of the app's with it.
    var hasAccount = false
    /// They give the id of somebody who makes such calls.
    var hasCaller = false

    /// Who sent it first; of several at one time the first by bytes.
    func first(by isBefore: (UInt32, UInt32) -> Bool) -> UInt32? {
      calls.min { $0.time != $1.time ? $0.time < $1.time : isBefore($0.user, $1.user) }?.user
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
