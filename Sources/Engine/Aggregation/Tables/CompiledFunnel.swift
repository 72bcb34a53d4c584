import Jobs

/// A funnel ready to be followed: its steps by number.
struct CompiledFunnel: Sendable {
  let steps: [Step]
  /// How long after the first step each of the others may come, in milliseconds; nil: any time before the cut-off.
  let within: Int64?
  /// The event that parts the users of the first step.
  let splitBy: Step?

  /// Any of some events.
  struct Step: Sendable {
    let charges: [EventType]
    let others: [EventType]

    init(_ events: [String], types: EventTypes) {
      let named = events.flatMap { name in
        // The job's own names are all known types.
        name == Job.Funnel.Step.anyCharge
          ? [.purchase, .renewal, .oneTimePurchase] : [types.type(named: name)].compactMap(\.self)
      }
      charges = named.filter(\.isCharge)
      others = named.filter { !$0.isCharge }
    }
  }

  /// How far one user came.
  struct Walk: Equatable {
    /// Steps taken; 0 where the user does not count.
    var depth = 0
    /// The first step was taken, but never so long ago that the time for the others is over.
    var isImmature = false
    /// The event that parts users came between the first step and the second.
    var isSplit = false
  }

  init(_ funnel: Job.Funnel, types: EventTypes) {
    steps = funnel.steps.map { Step($0.events, types: types) }
    within = funnel.withinMilliseconds
    splitBy = funnel.splitBy.map { Step([$0], types: types) }
  }

  /// How far a user came since `start`: the steps in order, each after the one before it and all of them `within` of
  /// the first.
  ///
  /// Of the first step's occurrences those count whose time is over by the cut-off, and of these the one that leads
  /// furthest; of several, the earliest.
  func walk(of user: UserHistory, from start: Int64) -> Walk {
    let firsts = user.times(of: steps[0], from: start)
    let mature = firsts.prefix { first in within.map { user.hasCome(first + $0) } ?? true }
    guard !mature.isEmpty else { return Walk(isImmature: !firsts.isEmpty) }
    let later = steps.dropFirst().map { user.times(of: $0, from: start) }
    var best = (depth: 0, first: Int64(0), second: Int64?.none)
    for first in mature where best.depth < steps.count {
      let accepted = times(after: first, later)
      if 1 + accepted.count > best.depth { best = (1 + accepted.count, first, accepted.first) }
    }
    return Walk(depth: best.depth, isSplit: isSplit(user, after: best.first, before: best.second))
  }

  /// The earliest occurrence of each step that comes after the one before, as far as it goes.
  private func times(after first: Int64, _ later: [[Int64]]) -> [Int64] {
    let last = within.map { first + $0 } ?? .max
    var accepted: [Int64] = []
    for times in later {
      let next = times.partitioningIndex { $0 > accepted.last ?? first }
      guard next < times.count, times[next] <= last else { break }
      accepted.append(times[next])
    }
    return accepted
  }

  private func isSplit(_ user: UserHistory, after first: Int64, before second: Int64?) -> Bool {
    guard let splitBy else { return false }
    let end = second ?? within.map { first + $0 + 1 } ?? .max
    return user.times(of: splitBy, from: first + 1).contains { $0 < end }
  }
}

extension UserHistory {
  /// When any of the step's events came, from `start` on, in order.
  fileprivate func times(of step: CompiledFunnel.Step, from start: Int64) -> [Int64] {
    var times: [Int64] = []
    if !step.charges.isEmpty {
      for charge in charges where charge.time >= start && step.charges.contains(charge.type) {
        times.append(charge.time)
      }
    }
    if !step.others.isEmpty {
      for event in events where event.time >= start && step.others.contains(event.type) { times.append(event.time) }
    }
    if !step.charges.isEmpty, !step.others.isEmpty { times.sort() }
    return times
  }
}
