import Domain
import Jobs

/// One user's way through the steps of a story.
///
/// Times are whole seconds, as the coarsest of the formats tells them: the same story has the same windows in all.
struct StoryLife {
  let scenario: Scenario
  let story: Story
  let person: Person
  /// Honest events, in the order they were thought of.
  private(set) var events: [StoryEvent] = []
  /// The steps gone through, those included that nobody writes down.
  private(set) var visits: [Visit] = []
  private var draws: SeededGenerator
  private var charges = 0
  private let currency: Int

  struct Visit: Sendable {
    var step: Int
    var time: Instant
  }

  /// Where a life has got to: what the next step builds on.
  private struct Position {
    var time: Instant
    var charge: StoryEvent?
    var isOver = false
  }

  /// Keeps a life finite whose steps lead back to themselves.
  private static let visitLimit = 400

  init(of person: Person, in context: StoryContext) {
    scenario = context.scenario
    story = context.story
    self.person = person
    draws = SeededGenerator(seed: scenario.seed, stream: .story, index: UInt64(person.user))
    currency = story.currencyShares.value(at: draws.part()) ?? 0
    guard let start = person.isOldClient ? story.oldClientStart : 0 else { return }
    walk(from: start, Position(time: person.assignedAt.nextWholeSecond))
    noteWhatIsAskedAfter()
    noteRefunds()
    noteWhatNamesNobody()
    if let spending = story.spending { spend(spending) }
    if context.names.aliasReport(of: person.user) == .transfer { transfer() }
  }

  /// The vendor moves what it has under the alias to the user.
  private mutating func transfer() {
    let delay = story.aliases.transferredAfterMilliseconds
    let time = Instant(milliseconds: person.assignedAt.nextWholeSecond.milliseconds + delay)
    guard time < scenario.until else { return }
    events.append(StoryEvent(time: time, user: person.user, ordinal: events.count, type: "transfer"))
  }

  /// Adds the events that spend credits, each in the group that the log names.
  private mutating func spend(_ spending: CreditSpending) {
    let times = spending.times(
      of: events, scenario, from: person.assignedAt.nextWholeSecond, user: person.user)
    for time in times {
      var event = StoryEvent(time: time, user: person.user, ordinal: events.count, type: spending.event)
      event.group = person.loggedGroup
      events.append(event)
    }
    let account = CreditAccount(of: events, scenario, spending, from: person.assignedAt.nextWholeSecond)
    for index in events.indices { events[index].creditsLeft = account.left(at: events[index].time) }
  }

  /// Whoever asks how a subscription stands is told of the last charge until then, whatever step led there.
  private mutating func noteWhatIsAskedAfter() {
    for index in events.indices where events[index].type == "status_check" {
      let before = events.filter { $0.isCharge && $0.time <= events[index].time }
      guard let charge = before.max(by: StoryEvent.inLogOrder) else { continue }
      events[index].product = charge.product
      events[index].concern(charge)
    }
  }

  /// Chooses among the subscriptions that a call told the app's server of: whose they are, their notifications do not say.
  ///
  /// Drawn from a sequence of its own, for each subscription once.
  private mutating func noteWhatNamesNobody() {
    guard story.withoutToken != .zero else { return }
    let reported = Set(events.filter { $0.type == "activation" }.map(\.firstCharge))
    for index in events.indices where events[index].firstCharge > 0 && reported.contains(events[index].firstCharge) {
      var draws = SeededGenerator(
        seed: scenario.seed, stream: .token, index: UInt64(person.user) << 16 | UInt64(events[index].firstCharge))
      events[index].isWithoutToken = draws.happens(story.withoutToken)
    }
  }

  /// Goes on from step to step until none follows, the other ways first.
  private mutating func walk(from start: Int, _ position: Position) {
    var step: Int? = start
    var position = position
    while let index = step, visits.count < Self.visitLimit {
      let time = moment(of: story.steps[index], after: position)
      guard time < scenario.until else { return }
      position.time = time
      visits.append(Visit(step: index, time: time))
      happen(index, &position)
      for branch in story.steps[index].beside where draws.happens(branch.shares[person.behaviour]) {
        walk(from: branch.step, position)
      }
      step = story.steps[index].next[person.behaviour].value(at: draws.part())
    }
  }

  private mutating func moment(of step: Story.Step, after position: Position) -> Instant {
    let origin =
      switch step.origin {
      case .previous: position.time
      case .assigned: person.assignedAt.nextWholeSecond
      case .periodEnd: position.charge?.end ?? position.time
      }
    let moment = Instant(milliseconds: origin.milliseconds + draws.within(step.delaySeconds) * 1000)
    guard let hour = step.hour else { return moment }
    return Instant(milliseconds: moment.utcDay * Instant.millisecondsPerDay + hour * 3_600_000)
  }

  // MARK: - Events

  private mutating func happen(_ index: Int, _ position: inout Position) {
    let step = story.steps[index]
    guard !step.event.isEmpty else { return }
    var event = StoryEvent(time: position.time, user: person.user, ordinal: events.count, step: index, type: step.event)
    event.group = position.time < person.assignedAt ? nil : person.loggedGroup
    event.currency = currency
    event.code = step.code
    event.product = step.products[person.behaviour] ?? position.charge?.product
    switch step.event {
    case "trial_start" where step.lastsMilliseconds != nil: beginOwnTrial(&event, &position, step)
    case "purchase", "one_time_purchase", "trial_start": begin(&event, &position)
    case "renewal", "recovery": renew(&event, &position)
    default: concern(&event, position, part: step.part)
    }
  }

  /// A trial that the app begins by itself.
  private mutating func beginOwnTrial(_ event: inout StoryEvent, _ position: inout Position, _ step: Story.Step) {
    event.product = nil
    event.isTrial = true
    event.isOwnTrial = true
    event.end = step.lastsMilliseconds.map { Instant(milliseconds: event.time.milliseconds + $0) }
    events.append(event)
    position.charge = event
  }

  /// A charge or trial that begins something new, or replaces what runs.
  private mutating func begin(_ event: inout StoryEvent, _ position: inout Position) {
    let isRunning = position.charge.map { $0.isAutoRenewable && ($0.end ?? $0.time) > event.time } ?? false
    charges += 1
    event.isUpgrade = event.type == "purchase" && isRunning
    event.charge = charges
    event.firstCharge = event.isUpgrade ? position.charge?.firstCharge ?? charges : charges
    event.firstOfPlan = charges
    event.firstOfPlanBefore = event.isUpgrade ? position.charge?.firstOfPlan ?? 0 : 0
    event.subscribedAt = event.isUpgrade ? position.charge?.subscribedAt : event.time
    event.renewal = 1
    event.isIntro = event.step.map { story.steps[$0].isIntro } ?? false
    event.paywall = paywall(of: event)
    settle(&event, &position)
  }

  /// Drawn from a sequence of its own, so that naming paywalls changes nothing else.
  private func paywall(of event: StoryEvent) -> String {
    guard let step = event.step else { return "" }
    var draws = SeededGenerator(
      seed: scenario.seed, stream: .paywall, index: UInt64(event.user) << 16 | UInt64(event.ordinal))
    return story.steps[step].paywalls.value(at: draws.part()) ?? ""
  }

  /// A later charge of what runs; its period begins where the last one ended, or at the recovery.
  private mutating func renew(_ event: inout StoryEvent, _ position: inout Position) {
    charges += 1
    event.isRecovery = event.type == "recovery"
    event.type = "renewal"
    event.charge = charges
    event.firstCharge = position.charge?.firstCharge ?? charges
    event.firstOfPlan = position.charge?.firstOfPlan ?? charges
    event.firstOfPlanBefore = position.charge?.firstOfPlanBefore ?? 0
    event.subscribedAt = position.charge?.subscribedAt ?? event.time
    event.renewal = (position.charge?.renewal ?? 0) + 1
    event.followsTrial = position.charge?.isTrial ?? false
    event.paywall = position.charge?.paywall ?? ""
    settle(&event, &position)
    guard event.isRecovery else { return }
    var recovery = event
    recovery.type = "billing_recovery"
    recovery.ordinal = events.count
    recovery.amountMicros = nil
    events.append(recovery)
  }

  private mutating func settle(_ event: inout StoryEvent, _ position: inout Position) {
    guard let product = event.product else { return }
    let isTrial = event.type == "trial_start"
    let facts = scenario.products[product]
    event.isTrial = isTrial
    event.isAutoRenewable = facts.kind == .autoRenewable && !isTrial
    event.chargedAt = event.time
    let intro = event.isIntro ? facts.intro : nil
    event.isIntro = intro != nil
    let prices = story.currencies[currency]
    event.priceMicros = intro == nil ? prices.prices[product] : prices.introPrices[product] ?? 0
    event.amountMicros = isTrial ? nil : event.priceMicros
    event.end = Period(isTrial ? facts.trial : intro?.period ?? facts.period)?.end(from: event.time)
    events.append(event)
    position.charge = event
  }

  /// Something that happens to the last charge, or to nothing.
  private mutating func concern(_ event: inout StoryEvent, _ position: Position, part: Share?) {
    if let charge = position.charge {
      event.concern(charge)
      event.graceEnd = graceEnd(of: charge)
    }
    if event.type == "refund", let part {
      event.part = part
      event.amountMicros = part.of(event.priceMicros)
    }
    events.append(event)
  }

  private func graceEnd(of charge: StoryEvent) -> Instant? {
    guard let end = charge.end, let product = charge.product else { return nil }
    return Period(scenario.products[product].grace)?.end(from: end)
  }

  /// Adds to each charge what refunds and reversals have left of it at the log's end, and to each refund the sum by then.
  private mutating func noteRefunds() {
    for index in events.indices where events[index].isCharge {
      let charge = events[index]
      let after = events.indices.filter { events[$0].isRefund && events[$0].charge == charge.charge }
      var accepted: StoryEvent.RefundedPart?
      for position in after.sorted(by: { StoryEvent.inLogOrder(events[$0], events[$1]) }) {
        let event = events[position]
        let part = event.amountMicros ?? charge.priceMicros
        let sum = min(charge.priceMicros, (accepted?.micros ?? 0) + part)
        accepted = event.type == "refund" ? StoryEvent.RefundedPart(micros: sum, time: event.time) : nil
        events[position].refundedSoFar = accepted?.micros ?? 0
      }
      events[index].reversal = accepted
    }
  }
}

extension Instant {
  /// Itself, or the next instant without a fraction of a second.
  fileprivate var nextWholeSecond: Instant {
    Instant(milliseconds: (milliseconds + 999).dividedRoundingDown(by: 1000) * 1000)
  }
}
