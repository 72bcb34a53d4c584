/// How many of a group's users came how far.
struct FunnelTally: Sendable, Codable {
  /// By funnel.
  private(set) var counts: [FunnelCounts]

  init(_ funnels: [CompiledFunnel]) {
    counts = funnels.map { FunnelCounts(users: $0.steps.map { _ in 0 }) }
  }

  mutating func add(_ user: UserHistory, from start: Int64, _ funnels: [CompiledFunnel]) {
    for (index, funnel) in funnels.enumerated() { counts[index].add(funnel.walk(of: user, from: start)) }
  }

  mutating func merge(_ other: FunnelTally) {
    for funnel in counts.indices { counts[funnel].merge(other.counts[funnel]) }
  }
}

/// One funnel's users.
package struct FunnelCounts: Sendable, Codable, Equatable {
  /// Users who took the step and all before it, by step.
  package var users: [Int]
  /// Those of them for whom the event that parts users came between the first step and the second.
  package var split: [Int]
  /// Users who took the first step too short a time before the cut-off to be counted.
  package var immature = 0

  init(users: [Int], split: [Int]? = nil, immature: Int = 0) {
    self.users = users
    self.split = split ?? users.map { _ in 0 }
    self.immature = immature
  }

  fileprivate mutating func add(_ walk: CompiledFunnel.Walk) {
    if walk.isImmature { immature += 1 }
    for step in 0..<walk.depth {
      users[step] += 1
      if walk.isSplit { split[step] += 1 }
    }
  }

  fileprivate mutating func merge(_ other: FunnelCounts) {
    immature += other.immature
    for step in users.indices {
      users[step] += other.users[step]
      split[step] += other.split[step]
    }
  }
}
