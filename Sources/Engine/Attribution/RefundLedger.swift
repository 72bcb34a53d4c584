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
/// A feed's sum above the charge's gross takes back the gross and no more, yet is kept whole: after a reversal the same
/// refunds, told by another feed, would else exceed what was restored.
struct RefundLedger {
  /// What the charge brought, in micros of the reporting currency.
  private let gross: Int128
  /// The feeds that have told a refund or a reversal of it: one or two, however many there are.
  private var feeds: [Feed] = []
  /// What had been told when the latest reversal restored it.
  private var restored: Int128 = 0

  /// What one feed has told.
  private struct Feed {
    let number: UInt8
    /// Ever, restored or not, also what is more than the charge brought: part by part, and as its last state.
    var added: Int128 = 0
    var stated: Int128 = 0
    var refunds = 0
    var reversals = 0
    /// By how much what it states has fallen, of which no failed refund has been told yet.
    var fallen: Int128 = 0

    /// What it states and what it tells part by part are the same refunds: the larger sum counts.
    var reported: Int128 { max(added, stated) }

    mutating func state(_ sum: Int128) {
      fallen += max(0, stated - sum)
      stated = sum
    }

    /// One refund of what was told did not go through; what is stated may have fallen by it already.
    mutating func fail(_ part: Int128, wasAdded: Bool, isStated: Bool) {
      if wasAdded { added = max(0, added - part) }
      guard isStated else { return }
      let known = min(part, fallen)
      fallen -= known
      stated = max(0, stated - (part - known))
    }
  }

  /// Two feeds may tell one refund as a percentage and as rounded money: less than a cent lies between.
  private static let cent: Int128 = 10_000

  /// - Parameter gross: nil for a charge that nobody knows.
  init(gross: Int64?) {
    self.gross = Int128(gross ?? .max)
  }

  /// What is taken back now, from 0 to the charge's gross.
  var standing: Int64 { Int64(min(max(0, mostReported - restored), gross)) }

  /// More has been told by a feed to be taken back than the charge brought, by a cent or more: amounts are rounded.
  func isBeyondCharge(by feed: UInt8) -> Bool {
    feeds.contains { $0.number == feed && $0.reported - restored - gross >= Self.cent }
  }

  private var mostReported: Int128 { feeds.reduce(restored) { max($0, $1.reported) } }

  /// Where the feed stands among those that have told something.
  private mutating func position(of feed: UInt8) -> Int {
    if let position = feeds.firstIndex(where: { $0.number == feed }) { return position }
    feeds.append(Feed(number: feed))
    return feeds.count - 1
  }

  /// Takes word of a refund of `part`, and says whether another feed has told as much before.
  ///
  /// - Parameter isState: the part is all that stands, and not what was given back this time.
  mutating func accept(_ part: Int64, isState: Bool, by feed: UInt8) -> Bool {
    let position = position(of: feed)
    let before = feeds[position].reported
    if isState { feeds[position].state(restored + Int128(part)) } else { feeds[position].added += Int128(part) }
    feeds[position].refunds += 1
    return feeds.indices.contains { other in
      other != position && feeds[other].refunds > 0 && covers(feeds[other], feeds[position], before: before)
    }
  }

  /// Takes word that one refund of `part` failed: it is taken back from here on, and no other.
  ///
  /// - Parameters:
  ///   - wasAdded: the feed told it by itself.
  ///   - isStated: what the feed states of the charge had it among its sum.
  mutating func fail(_ part: Int64, wasAdded: Bool, isStated: Bool, by feed: UInt8) {
    feeds[position(of: feed)].fail(Int128(part), wasAdded: wasAdded, isStated: isStated)
  }

  /// Whether a feed has told what another one tells now.
  private func covers(_ other: Feed, _ feed: Feed, before: Int128) -> Bool {
    if feed.reported == 0 { return other.refunds >= feed.refunds }
    let (theirs, own) = (min(other.reported, restored + gross), min(feed.reported, restored + gross))
    return theirs >= own || theirs > before && own - theirs < Self.cent
  }

  /// Takes word of a reversal, and says whether another feed has told it before.
  mutating func reverse(by feed: UInt8) -> Bool {
    let position = position(of: feed)
    let most = feeds.reduce(0) { max($0, $1.reversals) }
    feeds[position].reversals += 1
    let isCopy = feeds[position].reversals <= most
    if !isCopy { restored = mostReported }
    // Whatever the feed has missed of the refunds before it is restored as well.
    if feeds[position].reversals >= most {
      feeds[position].added = max(feeds[position].added, restored)
      feeds[position].stated = max(feeds[position].stated, restored)
    }
    return isCopy
  }
}
