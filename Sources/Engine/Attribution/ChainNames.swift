/// One name for each of a user's subscriptions, whatever the feeds call it.
///
/// Google Play's own records go by the purchase token, a vendor's by the first order: where two feeds tell a sale of one
/// transaction, they mean one subscription. What follows a sale and goes by a name under which nothing was sold is of the
/// subscription whose transaction it names, and so is all else that goes by that name.
///
///     a feed's sale:       chain A, transaction 1          →  A
///     another feed's:      chain B, transaction 1          →  A
///     what followed:       chain C, transaction 1          →  A
///     what followed:       chain C                         →  A
///
/// A subscription that took another's place without a charge of its own goes on with what was paid for that.
final class ChainNames {
  /// By name one that stands for it; all others stand for themselves.
  private var joined: [UInt32: UInt32] = [:]
  private var ofTransaction: [UInt64: (feed: UInt8, chain: UInt32)] = [:]
  private var sold: Set<UInt32> = []
  /// By the name of a subscription that of the one that took its place, where nothing was sold by that.
  private var replacements: [UInt32: UInt32] = [:]
  /// Those of which all that was bought is a test.
  private var tests: Set<UInt32> = []

  /// Nil where every event keeps its own name, as most users' do.
  ///
  /// - Parameter feeds: the feeds of the run's files.
  init?(of user: UserEvents, _ feeds: FeedIndex) {
    guard Self.areSeveral(of: user) else { return nil }
    let following = user.events { LifecycleReports.covers($0.type) }
    guard !following.isEmpty else { return nil }
    let sales = user.events { $0.type.isCharge || $0.type == .trialStart }
    noteSales(sales, feeds)
    if feeds.areSeveral { joinFeeds(sales, feeds) }
    for event in user.occurrences where event.replacedChain != 0 { noteReplacement(event) }
    joinUnsold(following)
    noteTests(user.occurrences)
  }

  /// Whether a user's events have more than one name, or one that not all of them may go by: of most users they have not, and
  /// every event keeps its own.
  private static func areSeveral(of user: UserEvents) -> Bool {
    var (name, areSeveral, isSome) = (UInt32(0), false, false)
    user.forEach { event in
      if event.chain == 0 {
        isSome = isSome || event.hasTransaction
      } else if event.chain != name {
        areSeveral = areSeveral || name != 0
        name = event.chain
      }
    }
    guard name != 0 else { return false }
    return areSeveral || isSome || user.occurrences.contains { $0.replacedChain != 0 || $0.isTest }
  }

  /// Some of the subscriptions are tests.
  var areSomeTests: Bool { !tests.isEmpty }

  /// Whether an event is of a subscription that is a test.
  func isTest(_ event: PurchaseEvent) -> Bool { tests.contains(name(of: event)) }

  /// Lets the latest charge of each subscription that was replaced go on under the name of the one that took its place: what
  /// ends the one that was replaced does not end that.
  func carryOn(_ charges: RecordSpan<UserHistory.Charge>) {
    for (old, new) in replacements {
      guard let last = charges.lastIndex(where: { $0.chain == old }) else { continue }
      charges[last].chain = latest(of: new)
    }
  }

  /// What took the place of what took its place, and so on.
  private func latest(of name: UInt32) -> UInt32 {
    var name = name
    for _ in replacements { name = replacements[name] ?? name }
    return name
  }

  /// The name of the subscription that an event is about; 0 where nothing tells it.
  func name(of event: PurchaseEvent) -> UInt32 {
    guard !sold.isEmpty else { return event.chain }
    let own = root(event.chain)
    if own != 0, sold.contains(own) || !event.hasTransaction { return own }
    return chain(ofTransaction: event.transactionNumber) ?? own
  }

  private func noteSales(_ sales: [PurchaseEvent], _ feeds: FeedIndex) {
    for sale in sales where sale.chain != 0 {
      sold.insert(sale.chain)
      guard sale.hasTransaction else { continue }
      let reported = (feed: feeds.feed(of: sale), chain: sale.chain)
      if let known = ofTransaction[sale.transactionNumber], known < reported { continue }
      ofTransaction[sale.transactionNumber] = reported
    }
  }

  /// Within a feed two names are two subscriptions: an order may have items of several.
  private func joinFeeds(_ sales: [PurchaseEvent], _ feeds: FeedIndex) {
    for sale in sales where sale.chain != 0 && sale.hasTransaction {
      guard let first = ofTransaction[sale.transactionNumber], first.feed != feeds.feed(of: sale) else { continue }
      let (one, other) = (root(first.chain), root(sale.chain))
      if one != other { joined[max(one, other)] = min(one, other) }
    }
    sold.formUnion(sold.map(root))
  }

  private func noteReplacement(_ event: PurchaseEvent) {
    let (old, new) = (root(event.replacedChain), root(event.chain))
    guard new != 0, old != new, !sold.contains(new) || replacements.values.contains(new) else { return }
    replacements[old] = max(new, replacements[old] ?? 0)
    sold.insert(new)
  }

  /// A subscription is a test where no other answer about it says that it is none.
  private func noteTests(_ events: RecordSpan<PurchaseEvent>) {
    for event in events where event.isTest {
      tests.formUnion([root(event.chain), chain(ofTransaction: event.transactionNumber) ?? 0])
    }
    guard !tests.isEmpty else { return }
    tests.remove(0)
    for event in events where event.isState && !event.isTest { tests.remove(name(of: event)) }
  }

  private func joinUnsold(_ following: [PurchaseEvent]) {
    var found: [UInt32: UInt32] = [:]
    for event in following where event.chain != 0 && event.hasTransaction && !sold.contains(root(event.chain)) {
      guard let chain = chain(ofTransaction: event.transactionNumber) else { continue }
      found[event.chain] = min(found[event.chain] ?? chain, chain)
    }
    joined.merge(found) { $1 }
  }

  private func chain(ofTransaction transaction: UInt64) -> UInt32? {
    ofTransaction[transaction].map { root($0.chain) }
  }

  private func root(_ name: UInt32) -> UInt32 {
    var name = name
    while let other = joined[name] { name = other }
    return name
  }
}

extension PurchaseEvent {
  /// The same, of the subscription as all of the user's events call it.
  @inline(__always)
  func named(by chains: ChainNames?) -> PurchaseEvent {
    guard let chains else { return self }
    var event = self
    event.chain = chains.name(of: self)
    return event
  }
}
