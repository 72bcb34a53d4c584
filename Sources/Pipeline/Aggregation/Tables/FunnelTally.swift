/// A funnel ready to be followed: its steps by number.
struct CompiledFunnel: Sendable {
  let steps: [EventType]
  /// How long after the first step the last may come, in milliseconds; nil: any time before T.
  let within: Int64?

  init(_ funnel: Job.Funnel, types: EventTypes) {
    // The job's own names are all known types.
    steps = funnel.steps.compactMap { types.type(named: $0) }
    within = funnel.withinMilliseconds
  }

  /// How many steps a user took since `start`, in order, each after the one before it and all of them `within` of
  /// the first: the most that any occurrence of the first step leads to.
  func depth(of user: UserHistory, from start: Int64) -> Int {
    let firsts = user.times(of: steps[0], from: start)
    guard !firsts.isEmpty, steps.count > 1 else { return firsts.isEmpty ? 0 : 1 }
    let later = steps.dropFirst().map { user.times(of: $0, from: start) }
    var deepest = 1
    for first in firsts where deepest < steps.count {
      deepest = max(deepest, 1 + depth(after: first, later))
    }
    return deepest
  }

  /// Takes the earliest occurrence of each step that comes after the one before.
  private func depth(after first: Int64, _ later: [[Int64]]) -> Int {
    let last = within.map { first + $0 } ?? .max
    var time = first
    for (index, times) in later.enumerated() {
      let next = times.partitioningIndex { $0 > time }
      guard next < times.count, times[next] <= last else { return index }
      time = times[next]
    }
    return later.count
  }
}

extension UserHistory {
  /// When events of a type came, charges included, from `start` on, in order.
  fileprivate func times(of type: EventType, from start: Int64) -> [Int64] {
    if type.isCharge { return charges.lazy.filter { $0.type == type && $0.time >= start }.map(\.time) }
    return events.lazy.filter { $0.type == type && $0.time >= start }.map(\.time)
  }
}

/// How many of a group's users came how far.
struct FunnelTally: Sendable {
  /// For each funnel and each of its steps the users who took it.
  private(set) var users: [[Int]]

  init(_ funnels: [CompiledFunnel]) {
    users = funnels.map { $0.steps.map { _ in 0 } }
  }

  mutating func add(_ user: UserHistory, from start: Int64, _ funnels: [CompiledFunnel]) {
    for (index, funnel) in funnels.enumerated() {
      for step in 0..<funnel.depth(of: user, from: start) { users[index][step] += 1 }
    }
  }

  mutating func merge(_ other: FunnelTally) {
    for funnel in users.indices {
      for step in users[funnel].indices { users[funnel][step] += other.users[funnel][step] }
    }
  }
}
