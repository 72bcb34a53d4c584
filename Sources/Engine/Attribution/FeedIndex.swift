/// Which feed each file of a run belongs to. A feed is one way a purchase is told: a purchase format.
///
/// Within a feed, what is told twice has the same key. Two feeds of one store tell of the same charge, and of
/// the same refund, under keys of their own.
struct FeedIndex: Sendable {
  /// By index of the log's files.
  private let ofFile: [UInt8]
  /// The run has more than one.
  let areSeveral: Bool

  init(ofFiles feeds: [UInt8] = []) {
    ofFile = feeds
    areSeveral = Set(feeds).count > 1
  }

  /// The files of a part of a run.
  ///
  /// - Parameter run: the feeds of all its files.
  init(ofFiles feeds: [UInt8], of run: FeedIndex) {
    ofFile = feeds
    areSeveral = run.areSeveral
  }

  /// How many files the log has.
  var fileCount: Int { ofFile.count }

  @inline(__always)
  func feed(of event: EventHead) -> UInt8 { areSeveral ? ofFile[Int(event.file)] : 0 }

  /// A key that only copies within the event's own feed share.
  @inline(__always)
  func key(_ key: UInt64, of event: EventHead) -> UInt64 {
    areSeveral ? key ^ UInt64(feed(of: event)) &* Spread.multiplier : key
  }
}
