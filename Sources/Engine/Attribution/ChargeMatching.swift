/// Which events tell the same charge where several feeds tell of one user.
///
/// Within a feed a charge is known by its key, across feeds by its transaction; where both feeds tell the number of
/// the renewal, by that too. Any of a charge's copies may hold the transaction by which another feed knows it, a
/// restored one say. Of several charges of one transaction, one that is told without a number is the latest so far.
struct ChargeMatching {
  /// For each event the number of the first one that tells its charge.
  private(set) var firsts: [Int] = []

  private let charges: [PurchaseEvent]
  private let feeds: FeedIndex
  private var groups: [Group] = []
  /// The groups that hold a transaction, in order of time; some have been joined to earlier ones since.
  private var ofTransaction: [UInt64: [Int]] = [:]
  /// Those of them that came without a number.
  private var unnumberedOf: [UInt64: [Int]] = [:]
  private var ofKey: [Report: Int] = [:]

  /// A charge as one feed knows it.
  private struct Report: Hashable {
    var key: UInt64
    /// Nil for a key that means the same in all feeds.
    var feed: UInt8?
  }

  /// What is known to be one charge.
  private struct Group {
    /// The number of its first event.
    var first: Int
    var reports: [Report]
    /// The key that all feeds share which tell the number of the renewal.
    var numbered: UInt64?
    /// The group it was joined to.
    var joined: Int?
  }

  /// - Parameter charges: in the order of `EventOrder`.
  init(_ charges: [PurchaseEvent], _ feeds: FeedIndex) {
    self.charges = charges
    self.feeds = feeds
    var ofEvent: [Int] = []
    for number in charges.indices { ofEvent.append(position(number)) }
    firsts = ofEvent.map { groups[root($0)].first }
  }

  /// The group of an event, which may be a new one.
  private mutating func position(_ number: Int) -> Int {
    let event = charges[number]
    let report = event.hasKey ? Report(key: event.keyNumber, feed: feeds.feed(of: event)) : nil
    let mine = Group(
      first: number, reports: report.map { [$0] } ?? [],
      numbered: event.isNumbered ? event.keyNumber : nil)
    let known = report.flatMap { ofKey[$0] }.map { root($0) }
    let other = match(known.map { groups[$0] } ?? mine, butNot: known, by: event)
    guard let group = other ?? known else {
      groups.append(mine)
      register(event, report, in: groups.count - 1)
      return groups.count - 1
    }
    var joined = group
    if let known, let other {
      joined = min(known, other)
      let later = max(known, other)
      join(groups[later], to: joined)
      groups[later].joined = joined
    } else if known == nil {
      join(mine, to: group)
    }
    register(event, report, in: joined)
    return joined
  }

  /// The group that the event's transaction leads to and that may be the same charge as `mine`: the one of its number,
  /// else the latest.
  private func match(_ mine: Group, butNot known: Int?, by event: PurchaseEvent) -> Int? {
    guard event.hasTransaction else { return nil }
    func isFit(_ group: Int) -> Bool { group != known && mayBeOne(groups[group], mine) }
    guard let numbered = mine.numbered else {
      return ofTransaction[event.transactionNumber]?.reversed().lazy.map { root($0) }.first(where: isFit)
    }
    if let same = ofKey[Report(key: numbered, feed: nil)].map({ root($0) }), isFit(same) { return same }
    return unnumberedOf[event.transactionNumber]?.reversed().lazy.map { root($0) }.first(where: isFit)
  }

  /// No feed tells both under keys of their own, and where both are numbered it is by one number.
  private func mayBeOne(_ left: Group, _ right: Group) -> Bool {
    if let one = left.numbered, let other = right.numbered, one != other { return false }
    return !left.reports.contains { one in right.reports.contains { $0.feed == one.feed && $0.key != one.key } }
  }

  private mutating func join(_ group: Group, to position: Int) {
    for report in group.reports where !groups[position].reports.contains(report) {
      groups[position].reports.append(report)
    }
    groups[position].numbered = groups[position].numbered ?? group.numbered
  }

  private mutating func register(_ event: PurchaseEvent, _ report: Report?, in group: Int) {
    let isNumbered = event.isNumbered
    if let report {
      ofKey[report] = group
      if isNumbered { ofKey[Report(key: report.key, feed: nil)] = group }
    }
    guard event.hasTransaction else { return }
    if ofTransaction[event.transactionNumber]?.last != group {
      ofTransaction[event.transactionNumber, default: []].append(group)
    }
    if !isNumbered { unnumberedOf[event.transactionNumber, default: []].append(group) }
  }

  private func root(_ group: Int) -> Int {
    var group = group
    while let earlier = groups[group].joined { group = earlier }
    return group
  }
}
