import Domain
import Jobs

/// Who the users of a scenario are, and what all of them together leave in the logs.
///
/// The users are lived in runs of fixed size, side by side: what comes out does not depend on the threads.
package struct Crowd: Sendable {
  /// Rows of the purchase log by shard, in order of time.
  package var shards: [[SimulatedEvent]]
  /// Rows of the assignment table, in order of time.
  var assignments: [SimulatedAssignment]
  package var happened: SimulatedFacts

  private static let runs = 64

  /// Lives through the scenario.
  package init(of scenario: Scenario) throws {
    let total = scenario.users + Int(scenario.oldClients.of(Int64(scenario.users)))
    let runs = try SideBySide.map(Self.runs) { run in
      CrowdRun(of: scenario, users: total * run / Self.runs..<total * (run + 1) / Self.runs)
    }
    shards = try SideBySide.map(scenario.purchaseShards) { shard in
      runs.flatMap { $0.shards[shard] }.sorted(by: SimulatedEvent.inLogOrder)
    }
    assignments = runs.flatMap(\.assignments).sorted(by: SimulatedAssignment.inTableOrder)
    happened = runs.reduce(into: SimulatedFacts(scenario)) { $0.add($1.happened) }
  }
}

/// A run of users with neighbouring numbers.
private struct CrowdRun: Sendable {
  let scenario: Scenario
  var shards: [[SimulatedEvent]]
  var assignments: [SimulatedAssignment] = []
  var happened: SimulatedFacts

  init(of scenario: Scenario, users: Range<Int>) {
    self.scenario = scenario
    shards = Array(repeating: [], count: scenario.purchaseShards)
    happened = SimulatedFacts(scenario)
    for user in users {
      add(Person(user, in: scenario))
    }
  }

  private mutating func add(_ person: Person) {
    let life = Life(of: person, in: scenario)
    var draws = SeededGenerator(seed: scenario.seed, stream: .dirt, index: UInt64(person.user))
    for event in life.events {
      write(event, of: person, &draws)
    }
    assign(person, &draws)
    happened.add(life, until: scenario.until)
  }

  // MARK: - The purchase log

  /// Writes an honest event, and maybe a row of dirt that is made from it.
  private mutating func write(_ event: SimulatedEvent, of person: Person, _ draws: inout SeededGenerator) {
    let dirt = scenario.dirt.events.value(at: draws.part()) ?? .none
    guard dirt == .groupMismatch else {
      append(event, of: person, &draws)
      if let row = spoilt(event, by: dirt, &draws) { append(row, of: person, &draws) }
      return
    }
    var event = event
    if let group = event.group, !person.isOldClient {
      event.group = UInt8((Int(group) + 1) % scenario.groups.count)
      event.dirt = .groupMismatch
    }
    append(event, of: person, &draws)
  }

  private func spoilt(
    _ event: SimulatedEvent, by dirt: EventDirt, _ draws: inout SeededGenerator
  ) -> SimulatedEvent? {
    guard dirt != .none, !dirt.needsCharge || event.kind.isCharge else { return nil }
    var row = event
    row.dirt = dirt
    if dirt.isOwnEvent {
      row.ordinal += SimulatedEvent.ownNumber
      row.charge += SimulatedEvent.ownNumber
    }
    switch dirt {
    case .afterCutoff: row.time.milliseconds = scenario.until.milliseconds + draws.within(0...172_800) * 1000
    case .duplicateLater: row.time.milliseconds += draws.within(1...3600) * 1000
    case .orphanRefund: row.kind = .fullRefund
    default: break
    }
    return row.time < scenario.until || dirt == .afterCutoff ? row : nil
  }

  private mutating func append(
    _ event: SimulatedEvent, of person: Person, _ draws: inout SeededGenerator
  ) {
    shards[Int(draws.below(UInt64(shards.count)))].append(event)
    happened.count(event, of: person)
  }

  // MARK: - The assignment table

  private mutating func assign(_ person: Person, _ draws: inout SeededGenerator) {
    guard !person.isOldClient else { return }
    let first = SimulatedAssignment(
      time: person.assignedAt, user: person.user, group: UInt8(person.behaviour))
    assignments.append(first)
    guard person.assignmentDirt != .none else { return }
    assignments.append(spoilt(first, by: person.assignmentDirt, &draws))
  }

  private func spoilt(
    _ row: SimulatedAssignment, by dirt: AssignmentDirt, _ draws: inout SeededGenerator
  ) -> SimulatedAssignment {
    var row = row
    row.dirt = dirt
    let room = scenario.until.milliseconds - row.time.milliseconds
    row.time.milliseconds += dirt == .late ? room + draws.within(0...86_400_000) : draws.within(0...room - 1)
    if dirt == .twoGroups { row.group = UInt8((Int(row.group) + 1) % scenario.groups.count) }
    return row
  }
}

extension Person {
  /// Draws the user with this number; those beyond the scenario's `users` are old clients.
  init(_ number: Int, in scenario: Scenario) {
    var draws = SeededGenerator(seed: scenario.seed, stream: .attributes, index: UInt64(number))
    let span = scenario.enrolmentTo.milliseconds - scenario.enrolmentFrom.milliseconds
    user = UInt32(number)
    assignedAt = Instant(
      milliseconds: scenario.enrolmentFrom.milliseconds + Int64(draws.below(UInt64(span))))
    behaviour = scenario.groups.drawn(&draws)
    isOldClient = number >= scenario.users
    assignmentDirt = isOldClient ? .none : scenario.dirt.assignments.value(at: draws.part()) ?? .none
    oldGroup = isOldClient && !scenario.oldGroups.isEmpty ? scenario.oldGroups.drawn(&draws) : nil
  }
}

extension [Scenario.Group] {
  /// The index of one of the groups, by their weights.
  fileprivate func drawn(_ draws: inout SeededGenerator) -> Int {
    let total = reduce(0) { $0 + $1.weightParts }
    var point = Int64(draws.below(UInt64(total)))
    for (index, group) in enumerated() {
      guard point >= group.weightParts else { return index }
      point -= group.weightParts
    }
    return count - 1
  }
}

extension SimulatedEvent {
  /// By time as a log is written; the rest makes the order total.
  fileprivate static func inLogOrder(_ left: Self, _ right: Self) -> Bool {
    (left.time, left.user, left.ordinal, left.dirt.order) < (
      right.time, right.user, right.ordinal, right.dirt.order
    )
  }
}

extension EventDirt {
  fileprivate var order: Int { self == .none ? 0 : 1 }
}

extension SimulatedAssignment {
  fileprivate static func inTableOrder(_ left: Self, _ right: Self) -> Bool {
    let order = (left.dirt == .none ? 0 : 1, right.dirt == .none ? 0 : 1)
    return (left.time, left.user, order.0) < (right.time, right.user, order.1)
  }
}
