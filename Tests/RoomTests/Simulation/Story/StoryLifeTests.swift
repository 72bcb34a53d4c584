import Testing

@testable import Domain
@testable import Simulation

@Suite("A life told step by step")
struct StoryLifeTests {
  private func lives() throws -> [StoryLife] { StoryWorld.lives(try StoryWorld.context()) }

  private func life(with type: String, where fits: (StoryEvent) -> Bool = { _ in true }) throws -> StoryLife {
    try #require(try lives().first { life in life.events.contains { $0.type == type && fits($0) } })
  }

  @Test("keeps to whole seconds, and to the time between assignment and the log's end")
  func times() throws {
    for life in try lives() {
      for event in life.events {
        #expect(event.time.milliseconds % 1000 == 0)
        #expect(event.time >= life.person.assignedAt && event.time < life.scenario.until)
      }
    }
  }

  @Test("renews at the period's end, on the calendar")
  func renewal() throws {
    let life = try life(with: "renewal") { !$0.isRecovery && !$0.followsTrial }
    let purchase = try #require(life.events.first { $0.type == "purchase" })
    let renewal = try #require(life.events.first { $0.type == "renewal" })
    #expect(renewal.time == Period("P1M")?.end(from: purchase.time))
    #expect(renewal.firstCharge == purchase.charge && renewal.renewal == 2)
  }

  @Test("makes a trial's first charge a renewal that follows a trial")
  func trial() throws {
    let life = try life(with: "renewal") { $0.followsTrial }
    let trial = try #require(life.events.first { $0.type == "trial_start" })
    let charge = try #require(life.events.first { $0.type == "renewal" })
    #expect(trial.amountMicros == nil && trial.isTrial)
    #expect(charge.time == Period("P7D")?.end(from: trial.time))
    #expect(charge.firstCharge == trial.charge && charge.amountMicros == charge.priceMicros)
  }

  @Test("makes a purchase over a running subscription an upgrade of it")
  func upgrade() throws {
    let life = try life(with: "purchase") { $0.isUpgrade }
    let charges = life.events.filter { $0.type == "purchase" }
    #expect(charges.map(\.isUpgrade) == [false, true])
    #expect(charges.map(\.firstCharge) == [charges[0].charge, charges[0].charge])
    #expect(charges.map { $0.product.map { life.scenario.products[$0].id } } == ["month", "year"])
  }

  @Test("tells a recovery as a renewal and as a recovery, at one instant")
  func recovery() throws {
    let life = try life(with: "billing_recovery")
    let retry = try #require(life.events.first { $0.type == "billing_retry" })
    let pair = life.events.filter { $0.isRecovery }
    #expect(pair.map(\.type) == ["renewal", "billing_recovery"])
    #expect(Set(pair.map(\.time)).count == 1 && Set(pair.map(\.ordinal)).count == 2)
    #expect(retry.time == retry.end && retry.graceEnd == Period("P16D")?.end(from: retry.time))
  }

  @Test("knows of each charge what was taken back of it and not given back")
  func reversal() throws {
    for life in try lives() {
      for charge in life.events where charge.isCharge {
        let about = life.events.filter { $0.isRefund && $0.charge == charge.charge }
        let isBack = about.contains { $0.type == "refund_reversal" }
        let refund = about.filter { $0.type == "refund" }
        let whole = refund.contains { $0.amountMicros == nil }
        let expected = isBack || refund.isEmpty ? nil : whole ? charge.priceMicros : charge.priceMicros * 4 / 10
        #expect(charge.reversal?.micros == expected)
      }
    }
  }

  @Test("begins elsewhere for an old client, who is in no group")
  func oldClients() throws {
    let old = try lives().filter(\.person.isOldClient)
    #expect(old.count == 150)
    #expect(old.allSatisfy { $0.events.filter { $0.type != "transfer" }.map(\.type) == ["no_offering"] })
    #expect(old.allSatisfy { $0.events.allSatisfy { $0.group == nil } })
  }

  @Test("ends though its steps lead back to themselves")
  func circle() throws {
    let context = try StoryWorld.context([("then: {cancelled: 1}", "then: {renewed: 1}")])
    let longest = StoryWorld.lives(context).map { $0.events.filter { $0.type == "renewal" }.count }.max()
    #expect(longest == 4)
    let still = try StoryWorld.context([
      ("seen_again: {event: plan_view, after: 1d..2d}", "seen_again: {then: {seen_again: 1}}")
    ])
    #expect(StoryWorld.lives(still, count: 20).allSatisfy { $0.visits.count <= 400 })
  }

  @Test("spends credits as long as there are some, and changes nothing else by it")
  func spending() throws {
    var (never, all) = (0, 0)
    for (life, frugal) in zip(StoryWorld.lives(try StoryWorld.context([StoryWorld.spending])), try lives()) {
      let scans = life.events.filter { $0.type == "scan" }
      #expect(scans.allSatisfy { $0.group == life.person.loggedGroup && $0.time < life.scenario.until })
      let rest = life.events.filter { $0.type != "scan" && $0.type != "transfer" }
      #expect(rest.map(\.time) == frugal.events.filter { $0.type != "transfer" }.map(\.time))
      let balances = balances(of: life)
      #expect(balances.allSatisfy { $0 >= 0 })
      never += scans.isEmpty ? 1 : 0
      all += balances.last == 0 ? 1 : 0
    }
    #expect(never > 300 && all > 1000)
  }

  @Test("names the paywall that sold, for what follows of the charge too, and changes nothing else by it")
  func paywalls() throws {
    let named = try StoryWorld.context([
      (
        "product: month, after: 1m..2h, state: subscribed",
        "product: month, paywall: {first: 0.5, limit: 0.5}, after: 1m..2h, state: subscribed"
      ),
      ("product: year,", "product: year, paywall: ended,"),
    ])
    var sold: [String: Int] = [:]
    for (life, plain) in zip(StoryWorld.lives(named), try lives()) {
      #expect(life.events.map(\.time) == plain.events.map(\.time))
      #expect(plain.events.allSatisfy { $0.paywall.isEmpty })
      for charge in life.events where charge.isCharge { sold[charge.paywall, default: 0] += 1 }
      for event in life.events where event.charge > 0 && !event.isCharge && event.type != "trial_start" {
        let charge = life.events.first { $0.isCharge && $0.charge == event.charge }
        #expect(charge == nil || charge?.paywall == event.paywall || event.type == "billing_recovery")
      }
    }
    // Days and what follows trials are sold by paywalls without a name.
    #expect(Set(sold.keys) == ["first", "limit", "ended", ""] && sold.values.allSatisfy { $0 > 50 })
  }

  /// What is left after each event: 6 to start with, 30 a month, 400 a year, none of them once refunded.
  private func balances(of life: StoryLife) -> [Int] {
    var granted: [Int: Int] = [:]
    var balance = 6
    return life.events.sorted(by: StoryEvent.inLogOrder).map { event in
      if event.isCharge, let product = event.product {
        granted[event.charge] = ["month": 30, "year": 400][life.scenario.products[product].id] ?? 0
        balance += granted[event.charge] ?? 0
      } else if event.type == "refund" {
        balance = max(0, balance - (granted.removeValue(forKey: event.charge) ?? 0))
      } else if event.type == "scan" {
        balance -= 1
      }
      return balance
    }
  }

  @Test("counts calendar time before the assignment where a step says so")
  func before() throws {
    let context = try StoryWorld.context([
      (
        "seen: {event: plan_view, after: 5s..1h",
        "seen: {event: purchase, product: month, from: assigned, after: -9d..-2d"
      )
    ])
    let life = StoryWorld.lives(context)[0]
    let first = try #require(life.events.first)
    #expect(first.time < life.person.assignedAt && first.group == nil)
  }

  @Test("begins a trial of the app's own without product and transaction, and goes on from its end")
  func ownTrial() throws {
    let context = try StoryWorld.context([
      (
        "tried: {event: trial_start, product: month,",
        "tried: {event: trial_start, lasts: 3d, formats: [events, events-csv],"
      )
    ])
    let lives = StoryWorld.lives(context).filter { life in life.events.contains { $0.type == "trial_start" } }
    #expect(lives.count > 100)
    for life in lives {
      let trial = try #require(life.events.first { $0.type == "trial_start" })
      #expect(
        trial.isOwnTrial && trial.charge == 0 && trial.product == nil && trial.reportedEnd == nil && !trial.isOfStore)
      #expect(trial.end?.milliseconds == trial.time.milliseconds + 3 * 86_400_000)
      let over = life.visits.first { context.story.steps[$0.step].name == "over" }
      #expect(over.map(\.time) ?? trial.end == trial.end)
    }
  }

  @Test("sells the introductory offer first, for as long as that pays")
  func intro() throws {
    let context = try StoryWorld.context([
      ("price: \"4.99\",", "price: \"4.99\", intro: {price: \"0.99\", prices: {JPY: \"150\"}, period: P1W},"),
      ("bought: {event: purchase, product: month,", "bought: {event: purchase, product: month, intro: true,"),
    ])
    let lives = StoryWorld.lives(context).filter { life in life.events.contains { $0.isIntro && $0.isCharge } }
    for life in lives {
      let purchase = try #require(life.events.first { $0.type == "purchase" })
      #expect(purchase.priceMicros == (context.currency(purchase) == "USD" ? 990_000 : 150_000_000))
      #expect(purchase.end == Period("P1W")?.end(from: purchase.time))
      for renewal in life.events where renewal.type == "renewal" {
        let price: Int64 = context.currency(renewal) == "USD" ? 4_990_000 : 700_000_000
        #expect(!renewal.isIntro && renewal.priceMicros == price)
      }
    }
    #expect(lives.contains { life in life.events.contains { $0.type == "renewal" } })
  }

  @Test("does something at an hour of the day")
  func hour() throws {
    let context = try StoryWorld.context([
      ("seen_again: {event: plan_view, after: 1d..2d}", "seen_again: {event: plan_view, after: 2d, hour: 10}")
    ])
    for life in StoryWorld.lives(context) {
      for view in life.events.filter({ $0.type == "plan_view" }).dropFirst() {
        #expect(view.time.milliseconds % 86_400_000 == 36_000_000)
        #expect(view.time.utcDay == life.events[0].time.utcDay + 2)
      }
    }
  }

  @Test("leaves the account out of what the store tells of some subscriptions, of those that a call told alone")
  func tokens() throws {
    let called = (
      from: "bought: {event: purchase, product: month, after: 1m..2h, state: subscribed, also: {part: 0.1}",
      to: "called: {event: activation, after: 1s..9s}\n"
        + "  bought: {event: purchase, product: month, after: 1m..2h, state: subscribed, also: {part: 0.1, called: 0.8}"
    )
    let context = try StoryWorld.context([called, (from: "aliases:", to: "account_tokens: {absent: 0.5}\naliases:")])
    let plain = try StoryWorld.context([called])
    var chains: [Bool: Int] = [:]
    for (life, same) in zip(StoryWorld.lives(context), StoryWorld.lives(plain)) {
      #expect(life.events.map(\.time) == same.events.map(\.time))
      let reported = Set(life.events.filter { $0.type == "activation" }.map(\.firstCharge))
      for (chain, events) in Dictionary(grouping: life.events, by: \.firstCharge) {
        #expect(Set(events.map(\.isWithoutToken)).count == 1)
        #expect(reported.contains(chain) || !events[0].isWithoutToken)
        if reported.contains(chain) { chains[events[0].isWithoutToken, default: 0] += 1 }
      }
    }
    #expect(chains.values.allSatisfy { $0 > 200 } && chains.count == 2)
  }

  @Test("tells who asks what is left of the credits, and how the subscription stands")
  func status() throws {
    let context = try StoryWorld.context([
      StoryWorld.spending,
      ("seen_again: {event: plan_view, after: 1d..2d}", "seen_again: {event: status_check, after: 1d..60d}"),
    ])
    var subscribed = 0
    for life in StoryWorld.lives(context) {
      for event in life.events where event.type == "status_check" {
        let before = life.events.filter { $0.time <= event.time }
        let last = before.filter(\.isCharge).max(by: StoryEvent.inLogOrder)
        #expect(event.charge == last?.charge ?? 0 && event.product == last?.product)
        subscribed += last == nil ? 0 : 1
        let retained = before.filter { charge in
          let changes = before.filter { $0.isRefund && $0.charge == charge.charge }
          return charge.isCharge && changes.max(by: StoryEvent.inLogOrder)?.type != "refund"
        }
        let granted = retained.reduce(0) { $0 + (["month": 30, "year": 400][context.product($1)?.id] ?? 0) }
        #expect(event.creditsLeft == Int64(max(0, 6 + granted - before.count { $0.type == "scan" })))
      }
    }
    #expect(subscribed > 100)
  }
}
