import Measurement

/// How many of a group's users came how far.
struct FunnelTally: Mergeable {
  /// By funnel.
  private(set) var counts: [FunnelCounts]

  init(_ funnels: [CompiledFunnel]) {
    counts = funnels.map { FunnelCounts(users: $0.steps.map { _ in 0 }) }
  }

  mutating func add(_ user: UserHistory, from start: Int64, _ funnels: [CompiledFunnel]) {
    for (index, funnel) in funnels.enumerated() { counts[index].add(funnel.walk(of: user, from: start)) }
  }

  mutating func merge(_ other: FunnelTally) { counts.merge(other.counts) { $0.merge($1) } }

  func misfit(_ shape: SumsShape) -> String? {
    let steps = [counts.map(\.users.count), counts.map(\.split.count)]
    return steps == [shape.funnels, shape.funnels] ? nil : "funnels"
  }
}

extension FunnelCounts {
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
