/// Finds what one feed tells of a user's subscription among what another has told.
///
/// Trials are known by their transaction; one without is another's copy only where both began at the same moment: an app may
/// begin a trial by itself, days before the store's. All else has no name that feeds share: of a user, product and subscription, the k-th
/// cancellation that one feed tells is the k-th that another tells, and so for every type.
struct LifecycleReports {
  private struct Kind: Hashable {
    var type: EventType
    var product: UInt32
    var chain: UInt32
  }

  private struct Observation {
    /// What one feed has told so far.
    struct FeedObservations {
      var feed: UInt8
      var count = 0
      /// The kinds of events by which it has told the last one.
      var kinds: Set<Bool> = []
      /// The last one came to an end: what follows is another.
      var isOver = false
    }

    var feeds: [FeedObservations] = []
    /// Where they were kept.
    var positions: [Int] = []

    /// A feed that tells one thing by two kinds of events tells it by the second once it has told it by the first, unless
    /// it has come to an end in between.
    mutating func position(by feed: UInt8, isDuplicated: Bool, ifNew new: Int) -> Int {
      let number = feeds.firstIndex { $0.feed == feed } ?? feeds.count
      if number == feeds.count { feeds.append(FeedObservations(feed: feed)) }
      let isSame = feeds[number].count > 0 && !feeds[number].isOver && !feeds[number].kinds.contains(isDuplicated)
      if isSame {
        feeds[number].kinds.insert(isDuplicated)
        return positions[feeds[number].count - 1]
      }
      feeds[number].count += 1
      (feeds[number].kinds, feeds[number].isOver) = ([isDuplicated], false)
      let count = feeds[number].count
      if count <= positions.count { return positions[count - 1] }
      positions.append(new)
      return new
    }

    mutating func end(by feed: UInt8) {
      for number in feeds.indices where feeds[number].feed == feed { feeds[number].isOver = true }
    }
  }

  fileprivate struct Trial {
    var transaction: UInt64?
    var product: UInt32
    var time: Int64
    /// The feeds that have told it, and of each the kinds of events.
    var sources: [Int]
    var position: Int
  }

  private var reported: [Kind: Observation] = [:]
  private var trials: [Trial] = []

  /// The types that feeds tell alike.
  static func covers(_ type: EventType) -> Bool {
    switch type {
    case .trialStart, .cancel, .uncancel, .billingRetry, .billingRecovery, .expire, .extend: true
    default: false
    }
  }

  mutating func removeAll() {
    if !reported.isEmpty { reported.removeAll() }
    if !trials.isEmpty { trials.removeAll(keepingCapacity: true) }
  }

  /// The place at which another feed's telling of the event was kept; `new` where it is the first.
  ///
  /// Events come in order of time. Of trials a feed may tell one by two kinds of events, which are as two feeds.
  mutating func position(
    of event: PurchaseEvent, product: UInt32, chain: UInt32, by feed: UInt8, ifNew new: Int
  ) -> Int {
    if event.type == .trialStart {
      return position(ofTrial: event, by: Int(feed) * 2 + (event.isDuplicated ? 1 : 0), ifNew: new)
    }
    if event.type == .billingRecovery {
      reported[Kind(type: .billingRetry, product: product, chain: chain)]?.end(by: feed)
    }
    return reported[Kind(type: event.type, product: product, chain: chain), default: Observation()]
      .position(by: feed, isDuplicated: event.isDuplicated, ifNew: new)
  }

  /// By the transaction; where not both feeds tell one, by the moment, unless they name two products.
  private mutating func position(ofTrial event: PurchaseEvent, by source: Int, ifNew new: Int) -> Int {
    let transaction = event.transaction
    func find(_ isSame: (Trial) -> Bool) -> Int? { trials.firstIndex { !$0.sources.contains(source) && isSame($0) } }
    let known =
      find { transaction != nil && $0.transaction == transaction }
      ?? find { (transaction == nil || $0.transaction == nil) && $0.mayBegin(with: event) }
    guard let known else {
      trials.append(
        Trial(
          transaction: transaction, product: event.product, time: event.time, sources: [source], position: new))
      return new
    }
    trials[known].sources.append(source)
    trials[known].transaction = trials[known].transaction ?? transaction
    if trials[known].product == Interner.none { trials[known].product = event.product }
    return trials[known].position
  }
}

extension LifecycleReports.Trial {
  /// Whether another trial begins at the same moment, and neither names another product.
  fileprivate func mayBegin(with event: PurchaseEvent) -> Bool {
    time == event.time
      && (product == event.product || product == Interner.none || event.product == Interner.none)
  }
}
