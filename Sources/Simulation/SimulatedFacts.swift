import Domain
import Jobs

/// What did happen to the users of a scenario, as far as a run that reads its logs must find again exactly.
package struct SimulatedFacts: Sendable {
  /// One for each of the scenario's groups.
  package var groups: [Group]
  /// One for each of its old groups.
  private(set) var outside: [Outside]
  /// Rows of the purchase log, by the name of their dirt.
  private(set) var dirt: [EventDirt: Int] = [:]
  /// Rows of the assignment table, by the name of their dirt.
  private(set) var assignmentDirt: [AssignmentDirt: Int] = [:]
  package private(set) var rows = 0
  private(set) var assignmentRows = 0
  /// Rows of the purchase log that must be set aside, under the first reason that applies.
  private(set) var setAside: [SetAsideReason: Int] = [:]
  private(set) var unassignedUsers = 0
  private(set) var twoGroupUsers = 0

  /// Users who are measured, with their windows of 7 and of 30 days from the assignment.
  package struct Group: Sendable {
    package var users = 0
    /// Users who saw the offering.
    var exposed = 0
    /// Users whose 7, whose 30 days had ended.
    var mature7 = 0
    var mature30 = 0
    /// Of those: users with a charge.
    var paying7 = 0
    var paying30 = 0
    /// Of the users whose 30 days had ended: their charges, and the money in micros.
    var charges30 = 0
    var gross30: Int64 = 0
    var net30: Int64 = 0
  }

  /// Old clients of one kind, and all they paid before the log's end.
  struct Outside: Sendable {
    var users = 0
    var payers = 0
    var charges = 0
    /// In micros.
    var gross: Int64 = 0
    var net: Int64 = 0
  }

  init(_ scenario: Scenario) {
    groups = Array(repeating: Group(), count: scenario.groups.count)
    outside = Array(repeating: Outside(), count: scenario.oldGroups.count)
  }

  // MARK: - Counting

  /// Counts a row of the purchase log, and why a reader must set it aside.
  package mutating func count(_ event: SimulatedEvent, of person: Person) {
    rows += 1
    if event.dirt != .none { dirt[event.dirt, default: 0] += 1 }
    if let reason = event.reason(of: person) { setAside[reason, default: 0] += 1 }
  }

  /// Counts a user's rows of the assignment table, and what the user did.
  package mutating func add(_ life: Life, until: Instant) {
    let person = life.person
    guard !person.isOldClient else {
      unassignedUsers += 1
      if let old = person.oldGroup { outside[old].add(life) }
      return
    }
    assignmentRows += person.assignmentDirt == .none ? 1 : 2
    if person.assignmentDirt != .none { assignmentDirt[person.assignmentDirt, default: 0] += 1 }
    guard person.assignmentDirt != .twoGroups else {
      twoGroupUsers += 1
      return
    }
    groups[person.behaviour].add(life, until: until)
  }

  package mutating func add(_ other: SimulatedFacts) {
    for index in groups.indices { groups[index].add(other.groups[index]) }
    for index in outside.indices { outside[index].add(other.outside[index]) }
    dirt.merge(other.dirt, uniquingKeysWith: +)
    assignmentDirt.merge(other.assignmentDirt, uniquingKeysWith: +)
    setAside.merge(other.setAside, uniquingKeysWith: +)
    rows += other.rows
    assignmentRows += other.assignmentRows
    unassignedUsers += other.unassignedUsers
    twoGroupUsers += other.twoGroupUsers
  }
}

extension SimulatedEvent {
  /// The first reason that applies to the row, in the order a reader goes through them; nil: it is used.
  fileprivate func reason(of person: Person) -> SetAsideReason? {
    if let reason = dirt.reason { return reason }
    if person.isOldClient { return .unassigned }
    if person.assignmentDirt == .twoGroups { return .excludedUser }
    return dirt == .duplicate || dirt == .duplicateLater ? .duplicate : nil
  }
}

extension SimulatedFacts.Group {
  fileprivate mutating func add(_ life: Life, until: Instant) {
    users += 1
    exposed += life.events.contains { $0.kind == .view } ? 1 : 0
    if let week = life.charges(withinDays: 7, until: until) {
      mature7 += 1
      paying7 += week.isEmpty ? 0 : 1
    }
    guard let month = life.charges(withinDays: 30, until: until) else { return }
    mature30 += 1
    paying30 += month.isEmpty ? 0 : 1
    charges30 += month.count
    for charge in month {
      let price = life.scenario.products[Int(charge.product)].priceMicros
      gross30 += price
      net30 += price - life.refunded(charge, price: price)
    }
  }

  fileprivate mutating func add(_ other: Self) {
    users += other.users
    exposed += other.exposed
    mature7 += other.mature7
    mature30 += other.mature30
    paying7 += other.paying7
    paying30 += other.paying30
    charges30 += other.charges30
    gross30 += other.gross30
    net30 += other.net30
  }
}

extension SimulatedFacts.Outside {
  fileprivate mutating func add(_ life: Life) {
    users += 1
    let all = life.events.filter(\.kind.isCharge)
    payers += all.isEmpty ? 0 : 1
    charges += all.count
    for charge in all {
      let price = life.scenario.products[Int(charge.product)].priceMicros
      gross += price
      net += price - life.refunded(charge, price: price)
    }
  }

  fileprivate mutating func add(_ other: Self) {
    users += other.users
    payers += other.payers
    charges += other.charges
    gross += other.gross
    net += other.net
  }
}

extension Life {
  /// The user's charges in the days after the assignment; nil where those days have not ended.
  fileprivate func charges(withinDays days: Int64, until: Instant) -> [SimulatedEvent]? {
    let end = Instant(
      milliseconds: person.assignedAt.milliseconds + days * Instant.millisecondsPerDay)
    guard end <= until else { return nil }
    return events.filter { $0.kind.isCharge && $0.time >= person.assignedAt && $0.time < end }
  }

  /// What has been taken back of a charge: the events of one charge come in order of time.
  fileprivate func refunded(_ charge: SimulatedEvent, price: Int64) -> Int64 {
    var refunded: Int64 = 0
    for event in events where event.charge == charge.charge {
      switch event.kind {
      case .fullRefund: refunded = price
      case .partialRefund: refunded = Scenario.Product.part(of: price)
      case .refundReversal: refunded = 0
      default: break
      }
    }
    return refunded
  }
}

extension Scenario.Product {
  /// What a partial refund takes back: half, in whole hundredths.
  package static func part(of priceMicros: Int64) -> Int64 { priceMicros / 20_000 * 10_000 }
}
