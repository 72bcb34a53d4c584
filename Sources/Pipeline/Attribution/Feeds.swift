/// Which feed each file of a run belongs to. A feed is one way a purchase is told: a purchase format.
///
/// Within a feed, what is told twice has the same key. Two feeds of one store tell of the same charge, and of
/// the same refund, under keys of their own.
struct Feeds: Sendable {
  /// By index of the log's files.
  private let ofLogFile: [UInt8]
  /// Index of the first of them among all files of the run.
  private let firstLogFile: Int
  /// The run has more than one.
  let areSeveral: Bool

  init(ofLogFile: [UInt8] = [], firstLogFile: Int = 0) {
    self.ofLogFile = ofLogFile
    self.firstLogFile = firstLogFile
    areSeveral = Set(ofLogFile).count > 1
  }

  @inline(__always)
  func feed(of event: EventRecord) -> UInt8 { areSeveral ? ofLogFile[Int(event.file) - firstLogFile] : 0 }
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

/// Which events tell the same charge where several feeds tell of one user.
enum ChargesTold {
  /// For each event the number of the first one that tells its charge.
  ///
  /// Within a feed a charge is known by its key. Any of its copies may hold the transaction by which another feed
  /// knows it, a restored one say, so all copies are looked at before feeds are compared.
  static func firsts(of charges: [EventRecord], _ feeds: Feeds) -> [Int] {
    var ofFeed: [Told: Int] = [:]
    var transactions: [[UInt64]] = Array(repeating: [], count: charges.count)
    var firsts = charges.indices.map { number -> Int in
      let event = charges[number]
      let known = event.flags.contains(.hasKey) ? Told(event.key, feeds.feed(of: event)) : nil
      let first = known.flatMap { ofFeed[$0] } ?? number
      if let known, first == number { ofFeed[known] = number }
      if event.flags.contains(.hasTransaction) { transactions[first].append(event.transaction) }
      return first
    }
    var tellers: [UInt64: (first: Int, feed: UInt8)] = [:]
    for number in charges.indices {
      guard firsts[number] == number else {
        firsts[number] = firsts[firsts[number]]
        continue
      }
      let feed = feeds.feed(of: charges[number])
      let other = transactions[number].lazy.compactMap { tellers[$0] }.first { $0.feed != feed }
      if let other { firsts[number] = other.first }
      for transaction in transactions[number] where tellers[transaction] == nil {
        tellers[transaction] = (firsts[number], feed)
      }
    }
    return firsts
  }

  /// A charge as one feed knows it.
  private struct Told: Hashable {
    var key: UInt64
    var feed: UInt8

    init(_ key: UInt64, _ feed: UInt8) {
      self.key = key
      self.feed = feed
    }
  }
}
