import Domain
import Jobs

/// What one user does between the assignment and the log's end.
///
/// Everything is bounded so that the truth can be written down exactly: the first view comes within an hour,
/// the purchase within a day of the assignment, a refund within five days of its charge.
package struct Life {
  package let scenario: Scenario
  let person: Person
  /// Honest events, in the order they were thought of.
  private(set) var events: [SimulatedEvent] = []
  private var draws: SeededGenerator
  private var charges: UInt16 = 0

  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 60 * minute
  private static let day: Int64 = 24 * hour

  init(of person: Person, in scenario: Scenario) {
    self.scenario = scenario
    self.person = person
    draws = SeededGenerator(seed: scenario.seed, stream: .life, index: UInt64(person.user))
    buyEarlier()
    live()
  }

  /// Whose rates the user follows.
  private var group: Scenario.Group {
    person.oldGroup.map { scenario.oldGroups[$0] } ?? scenario.groups[person.behaviour]
  }

  private mutating func live() {
    guard draws.happens(group.viewRate) else { return }
    let firstView = wholeSecond(after: person.assignedAt, Self.minute / 12...Self.hour)
    view(at: firstView)
    viewAgain()
    guard let product = group.choice.value(at: draws.part()) else { return }
    let thought = skewed(20 * Self.hour) + Self.minute / 4
    buy(product, at: Instant(milliseconds: firstView.milliseconds + thought))
  }

  // MARK: - Views

  private mutating func view(at time: Instant) {
    append(.view, at: time, product: 0, charge: 0)
  }

  private mutating func viewAgain() {
    var more = 0
    while more < 30, draws.happens(group.returnRate) {
      view(at: wholeSecond(after: person.assignedAt, Self.hour...14 * Self.day))
      more += 1
    }
  }

  // MARK: - Money

  /// A purchase of some hours ago, which no window that starts at the assignment may count. It lies within a day
  /// of it, so that the log has no days without an event.
  private mutating func buyEarlier() {
    guard draws.happens(scenario.earlierCustomers), let offer = group.offers.first else { return }
    let back = draws.within(2...20) * Self.day / 24
    let time = Instant(milliseconds: person.assignedAt.milliseconds - back)
    append(kindOfPurchase(offer.product), at: time, product: offer.product, charge: newCharge())
  }

  private mutating func buy(_ product: Int, at time: Instant) {
    guard let trialDays = scenario.products[product].trialDays else {
      return charge(product, kind: kindOfPurchase(product), at: time)
    }
    append(.trialStart, at: time, product: product, charge: newCharge())
    let end = Instant(milliseconds: time.milliseconds + trialDays * Self.day)
    if draws.happens(group.trialToPaid) {
      charge(product, kind: .renewal, at: end)
    } else {
      leave(product, from: time, to: end)
    }
  }

  private func kindOfPurchase(_ product: Int) -> SimulatedEvent.Kind {
    scenario.products[product].kind == .autoRenewable ? .purchase : .oneTimePurchase
  }

  /// A charge, what is taken back of it, and for a subscription what follows: the next charge, or the end.
  private mutating func charge(_ product: Int, kind: SimulatedEvent.Kind, at start: Instant) {
    var time = start
    var kind = kind
    while time < scenario.until {
      let number = newCharge()
      append(kind, at: time, product: product, charge: number)
      let isOver = refund(product, charge: number, chargedAt: time)
      guard !isOver, let periodDays = scenario.products[product].periodDays, kind != .oneTimePurchase else {
        return
      }
      let next = Instant(milliseconds: time.milliseconds + periodDays * Self.day)
      guard draws.happens(group.renewalRate) else { return leave(product, from: time, to: next) }
      time = next
      kind = .renewal
    }
  }

  /// Takes a charge back, maybe; true when that ended the subscription.
  private mutating func refund(_ product: Int, charge: UInt16, chargedAt: Instant) -> Bool {
    guard draws.happens(group.refundRate) else { return false }
    let isPartial = draws.happens(group.partialRefunds)
    let time = wholeSecond(after: chargedAt, Self.hour...5 * Self.day)
    append(isPartial ? .partialRefund : .fullRefund, at: time, product: product, charge: charge)
    if draws.happens(group.refundReversals) {
      let later = wholeSecond(after: time, Self.hour...5 * Self.day)
      append(.refundReversal, at: later, product: product, charge: charge)
    }
    return !isPartial
  }

  private mutating func leave(_ product: Int, from: Instant, to: Instant) {
    let length = to.milliseconds - from.milliseconds
    append(.cancel, at: wholeSecond(after: from, Self.minute...length - 1), product: product, charge: charges)
    append(.expire, at: to, product: product, charge: charges)
  }

  // MARK: - Small steps

  private mutating func newCharge() -> UInt16 {
    charges += 1
    return charges
  }

  private mutating func append(_ kind: SimulatedEvent.Kind, at time: Instant, product: Int, charge: UInt16) {
    let exact = Instant(milliseconds: time.milliseconds + fraction())
    guard exact < scenario.until, events.count < SimulatedEvent.ownNumber - 1 else { return }
    events.append(
      SimulatedEvent(
        time: exact, user: person.user, ordinal: UInt16(events.count), charge: charge, kind: kind,
        product: UInt8(product), group: loggedGroup(at: exact)))
  }

  /// The test's group from the assignment on; an old client's own at all times.
  private func loggedGroup(at time: Instant) -> UInt8? {
    if let old = person.oldGroup { return UInt8(scenario.groups.count + old) }
    return time < person.assignedAt ? nil : person.loggedGroup
  }

  /// Milliseconds beyond the whole second, for the share of events that the scenario gives some.
  private mutating func fraction() -> Int64 {
    draws.happens(scenario.lineStyle.fractions) ? draws.within(1...999) : 0
  }

  private mutating func wholeSecond(after time: Instant, _ delay: ClosedRange<Int64>) -> Instant {
    let second = time.milliseconds / 1000 * 1000
    return Instant(milliseconds: second + draws.within(delay) / 1000 * 1000)
  }

  /// Up to `most` milliseconds in whole seconds, mostly little: the cube of an even draw.
  private mutating func skewed(_ most: Int64) -> Int64 {
    let thousandths = draws.within(0...1000)
    let cube = thousandths * thousandths * thousandths
    return most / 1000 * cube / 1_000_000_000 * 1000
  }
}
