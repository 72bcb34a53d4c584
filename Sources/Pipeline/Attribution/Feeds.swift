/// Which feed each file of a run belongs to. A feed is one way a purchase is told: a purchase format.
///
/// Within a feed, what is told twice has the same key. Two feeds of one store tell of the same charge, and of
/// the same refund, under keys of their own.
struct Feeds: Sendable {
  /// By index of the file.
  private let ofFile: [UInt8]
  /// The run has more than one.
  let areSeveral: Bool

  init(ofFile: [UInt8] = []) {
    self.ofFile = ofFile
    areSeveral = Set(ofFile).count > 1
  }

  @inline(__always)
  func feed(of event: EventRecord) -> UInt8 { areSeveral ? ofFile[Int(event.file)] : 0 }
}

/// The refunds and reversals of one user's charges as feed after feed tells them.
///
/// Parts of a charge given back add up within a feed; where another feed has told as many refunds of the same
/// part already, it is the same one again.
struct RefundsTold {
  private struct Part: Hashable {
    var type: EventType
    var charge: Int
    var micros: Int64
    /// Nil counts what any feed has told at most.
    var feed: UInt8?
  }

  private var times: [Part: Int] = [:]

  mutating func removeAll() {
    if !times.isEmpty { times.removeAll(keepingCapacity: true) }
  }

  /// Counts one, and says whether another feed has told it.
  mutating func isTold(_ type: EventType, ofCharge charge: Int, part: Int64, by feed: UInt8) -> Bool {
    var known = Part(type: type, charge: charge, micros: part, feed: feed)
    let own = times[known, default: 0] + 1
    times[known] = own
    known.feed = nil
    let most = times[known, default: 0]
    times[known] = max(own, most)
    return own <= most
  }
}
