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

  private struct Told {
    /// What one feed has told so far.
    struct Teller {
      var feed: UInt8
      var count = 0
      /// The kinds of events by which it has told the last one.
      var kinds: Set<Bool> = []
      /// The last one came to an end: what follows is another.
      var isOver = false
    }

    var tellers: [Teller] = []
    /// Where they were kept.
    var places: [Int] = []

    /// A feed that tells one thing by two kinds of events tells it by the second once it has told it by the first, unless
    /// it has come to an end in between.
    mutating func place(by feed: UInt8, isRetold: Bool, ifNew new: Int) -> Int {
      let number = tellers.firstIndex { $0.feed == feed } ?? tellers.count
      if number == tellers.count { tellers.append(Teller(feed: feed)) }
      let isSame = tellers[number].count > 0 && !tellers[number].isOver && !tellers[number].kinds.contains(isRetold)
      if isSame {
        tellers[number].kinds.insert(isRetold)
        return places[tellers[number].count - 1]
      }
      tellers[number].count += 1
      (tellers[number].kinds, tellers[number].isOver) = ([isRetold], false)
      let count = tellers[number].count
      if count <= places.count { return places[count - 1] }
      places.append(new)
      return new
    }

    mutating func end(by feed: UInt8) {
      for number in tellers.indices where tellers[number].feed == feed { tellers[number].isOver = true }
    }
  }

  fileprivate struct Trial {
    var transaction: UInt64?
    var product: UInt32
    var time: Int64
    /// The feeds that have told it, and of each the kinds of events.
    var sources: [Int]
    var place: Int
  }

  private var told: [Kind: Told] = [:]
  private var trials: [Trial] = []

  /// The types that feeds tell alike.
  static func covers(_ type: EventType) -> Bool {
    switch type {
    case .trialStart, .cancel, .uncancel, .billingRetry, .billingRecovery, .expire, .extend: true
    default: false
    }
  }

  mutating func removeAll() {
    if !told.isEmpty { told.removeAll() }
    if !trials.isEmpty { trials.removeAll(keepingCapacity: true) }
  }

  /// The place at which another feed's telling of the event was kept; `new` where it is the first.
  ///
  /// Events come in order of time. Of trials a feed may tell one by two kinds of events, which are as two feeds.
  mutating func place(
    of event: PurchaseEvent, product: UInt32, chain: UInt32, by feed: UInt8, ifNew new: Int
  ) -> Int {
    if event.type == .trialStart {
      return place(ofTrial: event, by: Int(feed) * 2 + (event.isRetold ? 1 : 0), ifNew: new)
    }
    if event.type == .billingRecovery {
      told[Kind(type: .billingRetry, product: product, chain: chain)]?.end(by: feed)
    }
    return told[Kind(type: event.type, product: product, chain: chain), default: Told()]
      .place(by: feed, isRetold: event.isRetold, ifNew: new)
  }

  /// By the transaction; where not both feeds tell one, by the moment, unless they name two products.
  private mutating func place(ofTrial event: PurchaseEvent, by source: Int, ifNew new: Int) -> Int {
    let transaction = event.transaction
    func find(_ isSame: (Trial) -> Bool) -> Int? { trials.firstIndex { !$0.sources.contains(source) && isSame($0) } }
    let known =
      find { transaction != nil && $0.transaction == transaction }
      ?? find { (transaction == nil || $0.transaction == nil) && $0.mayBegin(with: event) }
    guard let known else {
      trials.append(
        Trial(
          transaction: transaction, product: event.product, time: event.time, sources: [source], place: new))
      return new
    }
    trials[known].sources.append(source)
    trials[known].transaction = trials[known].transaction ?? transaction
    if trials[known].product == Interner.none { trials[known].product = event.product }
    return trials[known].place
  }
}

extension LifecycleReports.Trial {
  /// Whether another trial begins at the same moment, and neither names another product.
  fileprivate func mayBegin(with event: PurchaseEvent) -> Bool {
    time == event.time
      && (product == event.product || product == Interner.none || event.product == Interner.none)
  }
}
