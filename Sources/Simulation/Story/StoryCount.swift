import Domain
import Jobs

/// What did happen to the measured users of a story: a run must find it again exactly.
struct StoryCount: Sendable {
  /// For each group, for each truth line.
  private(set) var figures: [[Figure]]
  /// For each group, where its users stand at the log's end.
  private(set) var states: [[String: Int]]
  private(set) var users: [Int]
  /// Lives of each kind that no group's figures have.
  private(set) var unassignedUsers = 0
  private(set) var twoGroupUsers = 0
  private(set) var assignmentRows = 0

  struct Figure: Sendable {
    /// Users who count.
    var users = 0
    /// Those of them who did it; of a sum, the sum in micros or units.
    var value: Int128 = 0
    /// Users of whom it is 0.
    var zeros = 0
  }

  init(_ scenario: Scenario, _ story: Story) {
    figures = scenario.groups.map { _ in story.truths.map { _ in Figure() } }
    states = scenario.groups.map { _ in [:] }
    users = scenario.groups.map { _ in 0 }
  }

  mutating func add(_ life: StoryLife) {
    guard !life.person.isOldClient else {
      unassignedUsers += 1
      return
    }
    assignmentRows += life.person.assignmentDirt == .none ? 1 : 2
    guard life.person.assignmentDirt != .twoGroups else {
      twoGroupUsers += 1
      return
    }
    guard life.measuredFrom != nil else { return }
    let group = life.person.behaviour
    users[group] += 1
    states[group][life.finalState, default: 0] += 1
    for (index, line) in life.story.truths.enumerated() {
      guard let value = life.value(of: line) else { continue }
      figures[group][index].users += 1
      figures[group][index].value += value
      if value == 0 { figures[group][index].zeros += 1 }
    }
  }

  mutating func add(_ other: StoryCount) {
    for group in users.indices {
      users[group] += other.users[group]
      states[group].merge(other.states[group], uniquingKeysWith: +)
      for index in figures[group].indices {
        figures[group][index].users += other.figures[group][index].users
        figures[group][index].value += other.figures[group][index].value
        figures[group][index].zeros += other.figures[group][index].zeros
      }
    }
    unassignedUsers += other.unassignedUsers
    twoGroupUsers += other.twoGroupUsers
    assignmentRows += other.assignmentRows
  }
}

extension StoryLife {
  /// When the user's windows begin: the assignment, or the first time at the step that the story measures from.
  var measuredFrom: Instant? {
    guard let step = story.measuredFrom else { return person.assignedAt }
    return visits.filter { $0.step == step && $0.time >= person.assignedAt }.map(\.time).min()
  }

  /// The state of the last step that names one.
  fileprivate var finalState: String {
    let named = visits.enumerated().filter { !story.steps[$0.element.step].state.isEmpty }
    let last = named.max { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    return last.map { story.steps[$0.element.step].state } ?? "never"
  }

  /// The user's value of a truth line; nil for one who does not count, or whose time is not over yet.
  fileprivate func value(of line: TruthLine) -> Int128? {
    guard let from = measuredFrom, line.users.include(person.user, of: scenario) else { return nil }
    let to = line.windowDays.map { Instant(milliseconds: from.milliseconds + $0 * Instant.millisecondsPerDay) }
    guard (to ?? scenario.until) <= scenario.until else { return nil }
    let window = from..<(to ?? scenario.until)
    switch line.sum {
    case .spent: return spent(in: window)
    case .balance:
      let granted = total(.credits, line, in: window)
      return max(0, Int128(story.spending?.starting ?? 0) + granted - spent(in: window))
    case let sum?: return total(sum, line, in: window)
    case nil: break
    }
    guard !line.of.isEmpty else {
      return visits.contains { line.did.contains($0.step) && window.contains($0.time) } ? 1 : 0
    }
    return followed(line, in: window)
  }

  private func followed(_ line: TruthLine, in window: Range<Instant>) -> Int128? {
    let firsts = visits.filter { line.of.contains($0.step) && window.contains($0.time) }
    guard let first = firsts.min(by: { $0.time < $1.time })?.time else { return nil }
    let end = line.within.map { Instant(milliseconds: first.milliseconds + $0) } ?? scenario.until
    guard end <= scenario.until else { return nil }
    return visits.contains { line.did.contains($0.step) && $0.time > first && $0.time <= end } ? 1 : 0
  }

  private func spent(in window: Range<Instant>) -> Int128 {
    Int128(events.count { $0.type == story.spending?.event && window.contains($0.time) })
  }

  private func total(_ sum: TruthLine.Sum, _ line: TruthLine, in window: Range<Instant>) -> Int128 {
    let charges = events.filter { charge in
      charge.isCharge && window.contains(charge.time) && (line.paywall ?? charge.paywall) == charge.paywall
    }
    return charges.reduce(0) { $0 + value(of: $1, sum, line.currency ?? scenario.currency) }
  }

  private func value(of charge: StoryEvent, _ sum: TruthLine.Sum, _ currency: String) -> Int128 {
    let product = charge.product.map { scenario.products[$0] }
    let gross = converted(charge.priceMicros, of: charge, to: currency)
    let accepted = charge.reversal.map { converted($0.micros, of: charge, to: currency) } ?? 0
    switch sum {
    case .charges, .spent, .balance: return 1
    case .gross: return gross
    case .net: return gross - accepted
    case .proceeds: return product.map { $0.retained(of: gross - accepted) } ?? 0
    case .credits: return accepted > 0 ? 0 : Int128(product.flatMap { Int64($0.credits) } ?? 0)
    }
  }

  /// Micros of another currency at the rate of the charge's day, halves to even.
  private func converted(_ micros: Int64, of charge: StoryEvent, to currency: String) -> Int128 {
    let own = story.currencies[charge.currency].code
    guard own != currency, let rate = story.rates?.rate(own, day: charge.time.utcDay) else { return Int128(micros) }
    return (Int128(micros) * Int128(rate)).dividedHalfToEven(by: 1_000_000_000)
  }
}

extension Scenario.Product {
  /// What is left of an amount after tax and the store's commission.
  fileprivate func retained(of net: Int128) -> Int128 {
    let whole: Int64 = 100_000_000
    let tax = Int64(plainDecimal: taxPercent, positions: 6) ?? 0
    let commission = Int64(plainDecimal: commissionPercent, positions: 6) ?? 30_000_000
    return (net * Int128(whole - tax) * Int128(whole - commission)).dividedHalfToEven(by: Int128(whole) * Int128(whole))
  }
}

extension Int128 {
  /// The nearest whole number, halves to the even one; for numbers that are not negative.
  func dividedHalfToEven(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    let twice = remainder * 2
    return twice > divisor || (twice == divisor && quotient % 2 == 1) ? quotient + 1 : quotient
  }
}
