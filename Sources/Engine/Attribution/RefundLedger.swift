/// What the feeds tell of one charge's refunds and reversals, in order of time.
///
/// What a feed tells adds up, or replaces what it told before where it tells how the charge stands; of several feeds
/// the one that has told most counts, for they tell of the same refunds. A reversal restores all that was told before
/// it, and the k-th of one feed is the k-th of another. So a feed that lags behind neither takes back again what was
/// restored, nor restores what was taken back since:
///
///     one feed:      takes 3            restores            takes 2
///     another:                 takes 3             restores          takes 2
///     standing:      3         3        0          0        2        2
///
/// What is told beyond the charge's gross takes nothing, but is remembered: a feed that lags behind tells it, too.
struct RefundLedger {
  /// What the charge brought, in micros of the reporting currency.
  private let gross: Int128
  /// What each feed has told ever, restored or not, also what is more than the charge brought.
  private var told = FeedIndex.Each<Int128>(repeating: 0)
  private var refunds = FeedIndex.Each<Int>(repeating: 0)
  private var reversals = FeedIndex.Each<Int>(repeating: 0)
  /// What had been told when the latest reversal restored it.
  private var restored: Int128 = 0

  /// Two feeds may tell one refund as a percentage and as rounded money: less than a cent lies between.
  private static let cent: Int128 = 10_000

  /// - Parameter gross: nil for a charge that nobody knows.
  init(gross: Int64?) {
    self.gross = Int128(gross ?? .max)
  }

  /// What is taken back now, from 0 to the charge's gross.
  var standing: Int64 { Int64(min(mostTold - restored, gross)) }

  /// More has been told by a feed to be taken back than the charge brought, by a cent or more: amounts are rounded.
  func isBeyondCharge(by feed: UInt8) -> Bool { told[Int(feed)] - restored - gross >= Self.cent }

  private var mostTold: Int128 {
    var most = restored
    for feed in told.indices { most = max(most, told[feed]) }
    return most
  }

  /// Takes word of a refund of `part`, and says whether another feed has told as much before.
  ///
  /// - Parameter isState: the part is all that stands, and not what was given back this time.
  mutating func take(_ part: Int64, isState: Bool, by feed: UInt8) -> Bool {
    let feed = Int(feed)
    let before = told[feed]
    let base = isState ? restored : before
    told[feed] = base + Int128(part)
    refunds[feed] += 1
    for other in told.indices where other != feed && refunds[other] > 0 {
      if covers(other, feed, before: before) { return true }
    }
    return false
  }

  /// Whether a feed has told what another one tells now.
  private func covers(_ other: Int, _ feed: Int, before: Int128) -> Bool {
    if told[feed] == 0 { return refunds[other] >= refunds[feed] }
    let (theirs, own) = (min(told[other], restored + gross), min(told[feed], restored + gross))
    return theirs >= own || theirs > before && own - theirs < Self.cent
  }

  /// Takes word of a reversal, and says whether another feed has told it before.
  mutating func reverse(by feed: UInt8) -> Bool {
    let feed = Int(feed)
    var most = 0
    for other in reversals.indices { most = max(most, reversals[other]) }
    reversals[feed] += 1
    let isCopy = reversals[feed] <= most
    if !isCopy { restored = mostTold }
    // Whatever the feed has missed of the refunds before it is restored as well.
    if reversals[feed] >= most { told[feed] = max(told[feed], restored) }
    return isCopy
  }
}
