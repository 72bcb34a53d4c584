import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// An offering's verdict in a word and in a sentence.
struct VerdictTests {
  private let revenue = HandMade.metric("revenue_net_30d", .mean, scale: 1_000_000, primary: true)

  private func verdict(
    conversions: Int128, payers: Int128, paying units: Int128,
    metrics: [MeasuredMetric], prices: PriceDifference? = nil
  ) throws -> OfferingVerdict {
    var offering = HandMade.offering(
      HandMade.group(
        "control", users: 5000, HandMade.proportion(300, of: 5000), HandMade.money(300, paying: 10, of: 5000)),
      HandMade.group(
        "group_a", users: 5000, HandMade.proportion(conversions, of: 5000),
        HandMade.money(payers, paying: units, of: 5000)))
    offering.priceDifference = prices
    return try #require(try HandMade.night(offering, metrics: metrics).verdicts.first)
  }

  @Test("A better primary metric makes the group and the offering better")
  func betterPrimaryMetric() throws {
    let verdict = try verdict(
      conversions: 400, payers: 310, paying: 10, metrics: [HandMade.conversion, HandMade.revenue])
    #expect(verdict.decision == .better)
    #expect(
      verdict.sentence == """
        Ship group_a. In 7 days paying_conversion_7d came to 8.0 % instead of 6.0 % (+33 %, 15 to 54 %). Expect about +25 % \
        to last. Chance that it is better: over 99 %.
        """)
  }

  @Test("A worse primary metric is not hidden by a better one")
  func worsePrimaryMetric() throws {
    let verdict = try verdict(
      conversions: 400, payers: 200, paying: 10, metrics: [HandMade.conversion, revenue])
    #expect(verdict.decision == .worse)
    #expect(
      verdict.sentence.hasPrefix(
        """
        Choose between group_a and control. In 7 days paying_conversion_7d came to 8.0 % instead of 6.0 % (+33 %, 15 to \
        54 %). But in 7 days revenue_net_30d came to 0.40 USD instead of 0.60 (−33 %, −46 to −19 %). Say which counts \
        more: its paying_conversion_7d or its revenue_net_30d.
        """))
    #expect(verdict.groups[0].call == .choose)
    // Measured are 200 less of 600 for 1,000 users; what the prior of 15 % leaves of it, integrated by mpmath.
    let worth = try #require(verdict.groups[0].worth?.perThousandUsers)
    #expect(abs(worth + 169.660960001183) < 1e-6)
  }

  @Test("Without a primary metric the first one speaks")
  func withoutPrimaryMetric() throws {
    var conversion = HandMade.conversion
    conversion.request.primary = false
    let verdict = try verdict(
      conversions: 400, payers: 200, paying: 10, metrics: [conversion, HandMade.revenue])
    // Beside money that is shown to fall no page says Ship.
    #expect(verdict.decision == .worse && verdict.groups[0].call == .choose)
    #expect(
      verdict.sentence.hasPrefix(
        """
        Choose between group_a and control. In 7 days paying_conversion_7d came to 8.0 % instead of 6.0 % (+33 %, 15 to \
        54 %). But in 7 days revenue_net_30d came to 0.40 USD instead of 0.60 (−33 %, −46 to −19 %).
        """))
  }

  @Test("Where prices differ revenue speaks first and conversion alone is no win")
  func pricesDifferRevenue() throws {
    let verdict = try verdict(
      conversions: 400, payers: 400, paying: 7, metrics: [HandMade.conversion, HandMade.revenue],
      prices: .displayed)
    #expect(verdict.decision == .inconclusive)
    #expect(
      verdict.sentence == """
        Keep control for now. In 7 days revenue_net_30d came to 0.56 USD instead of 0.60 (−6.7 %, −19 to +8.1 %). With \
        today's users it reliably sees 22 % or more. Chance that it is better: 25 %.
        """)
  }

  @Test("Where users were charged differently it says so, and what to add where no revenue is measured")
  func chargedPrices() throws {
    let led = try verdict(
      conversions: 400, payers: 400, paying: 7, metrics: [HandMade.conversion, HandMade.revenue], prices: .charged)
    #expect(led.decision == .inconclusive)
    #expect(
      led.note
        == "The groups' users were charged different prices or for different products, so revenue per user comes first."
    )
    let blind = try verdict(
      conversions: 400, payers: 400, paying: 7, metrics: [HandMade.conversion], prices: .charged)
    #expect(blind.decision == .better)
    #expect(blind.groups.map(\.headline) == ["Measure revenue before deciding on group_a."])
    #expect(
      blind.note?.hasSuffix("but the job measures no revenue per user; add {name: revenue_net, window: 30d}.") == true)
  }

  @Test("Where nobody of any group has paid there is nothing to keep; one charge, or a metric of events, and there is")
  func nobodyPaid() throws {
    var revenue = HandMade.metric("revenue_net_30d", .mean, scale: 1_000_000, primary: true)
    revenue.request.isOfCharges = true
    var offering = HandMade.offering(
      HandMade.group("a", users: 600, HandMade.money(0, paying: 10, of: 600), HandMade.proportion(300, of: 600)),
      HandMade.group("control", users: 600, HandMade.money(0, paying: 10, of: 600), HandMade.proportion(200, of: 600)))
    func verdict(_ metrics: MeasuredMetric...) throws -> OfferingVerdict {
      try #require(try HandMade.night(offering, metrics: metrics).verdicts.first)
    }
    let activated = HandMade.metric("activation_7d", .proportion, primary: true)
    let alone = try verdict(revenue)
    #expect(alone.headline == "Nothing to compare yet." && alone.groups.map(\.call) == [.wait])
    #expect(
      alone.sentence == """
        Nobody of any group has paid since the assignment, so there is nothing to compare: revenue_net_30d stands at 0.
        """)
    #expect(try verdict(revenue, activated).obstacle == nil)
    offering.groups[0].purchases.after = 1
    #expect(try verdict(revenue).obstacle == nil)
  }

  @Test("Nobody waits for a test that nobody joins any more and whose windows have ended")
  func tooSmallForGood() throws {
    var offering = HandMade.offering(
      HandMade.group("a", users: 60, HandMade.proportion(9, of: 60)),
      HandMade.group("control", users: 60, HandMade.proportion(9, of: 60)))
    let today = HandMade.asOf.milliseconds / Instant.millisecondsPerDay
    func group(daysAgo: Int64, immature: Int = 0) throws -> OfferingVerdict.GroupVerdict {
      offering.groups[0].tables.arrivals = [ArrivalDay(day: today - daysAgo, users: 60)]
      offering.groups[0].segments[0].metrics[0]?.immature = immature
      let verdict = try #require(try HandMade.night(offering, metrics: [HandMade.conversion]).verdicts.first)
      return try #require(verdict.groups.first)
    }
    #expect(try group(daysAgo: 3).headline == "Wait for a.")
    #expect(try group(daysAgo: 20, immature: 1).headline == "Wait for a.")
    let over = try group(daysAgo: 20)
    #expect(over.headline == "End: keep control." && over.call == .end)
    #expect(over.decision == .tooEarly)
    #expect(
      over.reason == """
        The test is over and was too small: it could only have seen 146 % or more. The smallest group has 60 users whose \
        time is over; 100 are needed.
        """)
  }

  @Test("Before any window has ended the day of the first figures is told")
  func firstFigures() throws {
    let nobody = MetricMeasurement(immature: 60)
    var offering = HandMade.offering(
      HandMade.group("a", users: 60, nobody), HandMade.group("control", users: 60, nobody))
    offering.measuredFrom = Instant(milliseconds: HandMade.asOf.milliseconds - 2 * Instant.millisecondsPerDay)
    let verdict = try #require(try HandMade.night(offering, metrics: [HandMade.conversion]).verdicts.first)
    // Two days of the seven are over on 1 April.
    #expect(verdict.groups[0].call == .wait)
    #expect(verdict.groups[0].reason.hasSuffix(" The first figures come on 6 April 2026, UTC."))
  }

  @Test("A failed check is the verdict, with its own sentence")
  func failedCheckVerdict() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 5000, HandMade.proportion(200, of: 5000)),
      HandMade.group("group_a", users: 4000, HandMade.proportion(300, of: 4000)))
    let verdict = try #require(try HandMade.night(offering, metrics: [HandMade.conversion]).verdicts.first)
    #expect(verdict.decision == .doNotTrust)
    #expect(
      verdict.sentence.hasPrefix(
        "Do not act on this: 5,000 users in control and 4,000 in group_a, where 1:1 was planned; p < 0.0001."))
    #expect(verdict.sentence.hasSuffix(" sample_ratio_sequential failed, too."))
  }

  @Test("One group alone has nothing to be compared with")
  func oneGroupAlone() throws {
    let offering = HandMade.offering(HandMade.group("control", users: 500, HandMade.proportion(20, of: 500)))
    let verdict = try #require(try HandMade.night(offering, metrics: [HandMade.conversion]).verdicts.first)
    #expect(verdict.decision == .inconclusive)
    #expect(verdict.sentence == "control is the only group with users: nothing to compare.")
  }

  @Test("An offering without users says so")
  func offeringWithoutUsers() throws {
    let verdict = try #require(
      try HandMade.night(HandMade.offering(), metrics: [HandMade.conversion]).verdicts.first)
    #expect(verdict.sentence == "Nobody is measured yet.")
  }

  @Test("Of several better groups the one that gains most is to be shipped, with what it is worth")
  func bestOfSeveral() throws {
    let metric = HandMade.metric("revenue_net_30d", .mean, scale: 1_000_000, primary: true)
    var offering = HandMade.offering(
      HandMade.group("a", users: 5000, HandMade.money(500, paying: 10, of: 5000)),
      HandMade.group("b", users: 5000, HandMade.money(900, paying: 10, of: 5000)),
      HandMade.group("control", users: 5000, HandMade.money(300, paying: 10, of: 5000)))
    offering.measuredFrom = Instant(milliseconds: HandMade.asOf.milliseconds - 30 * Instant.millisecondsPerDay)
    let verdict = try #require(try HandMade.night(offering, metrics: [metric]).verdicts.first)
    #expect(verdict.groups.map(\.group) == ["b", "a"])
    #expect(verdict.groups.map(\.headline) == ["Ship b.", "a beats control, too."])
    #expect(verdict.groups[1].reason.contains(" b is ahead of it; this test does not compare the two. "))
    let worth = try #require(verdict.groups[0].worth)
    // 0.6 a user and measured twice as much more; what the prior of 15 % leaves of it, integrated by mpmath.
    #expect(abs(worth.perThousandUsers - 1173.45766119334) < 1e-6)
    #expect(worth.usersPerDay == 500 && worth.perMonth == worth.perThousandUsers * 15)
    #expect(
      worth.sentence
        == "Worth about 1,170 USD per 1,000 users (968 to 1,410), 17,600 USD a month at 500 new users a day.")
  }

  @Test("Where nobody joins any more no month's money is reckoned")
  func noMonth() throws {
    let metric = HandMade.metric("revenue_net_30d", .mean, scale: 1_000_000, primary: true)
    var offering = HandMade.offering(
      HandMade.group("a", users: 5000, HandMade.money(900, paying: 10, of: 5000)),
      HandMade.group("control", users: 5000, HandMade.money(300, paying: 10, of: 5000)))
    offering.measuredFrom = Instant(milliseconds: HandMade.asOf.milliseconds - 30 * Instant.millisecondsPerDay)
    let today = HandMade.asOf.milliseconds / Instant.millisecondsPerDay
    func worth(daysAgo: Int64) throws -> Worth {
      offering.groups[0].tables.arrivals = [ArrivalDay(day: today - daysAgo, users: 5000)]
      let verdict = try #require(try HandMade.night(offering, metrics: [metric]).verdicts.first)
      return try #require(verdict.groups[0].worth)
    }
    #expect(try worth(daysAgo: 7).perMonth != nil)
    let over = try worth(daysAgo: 8)
    #expect(over.perMonth == nil && over.usersPerDay == nil)
    #expect(over.sentence == "Worth about 1,170 USD per 1,000 users (968 to 1,410); nobody joins any more.")
  }

  @Test("Of several open groups each is told the same")
  func severalOpen() throws {
    let offering = HandMade.offering(
      HandMade.group("a", users: 5000, HandMade.proportion(300, of: 5000)),
      HandMade.group("b", users: 5000, HandMade.proportion(310, of: 5000)),
      HandMade.group("control", users: 5000, HandMade.proportion(305, of: 5000)))
    let verdict = try #require(try HandMade.night(offering, metrics: [HandMade.conversion]).verdicts.first)
    #expect(verdict.groups.map(\.headline) == ["Keep control for now.", "Keep control for now."])
    #expect(verdict.calls.map(\.groups) == [["b", "a"]])
    #expect(verdict.headline == "Keep control: none of 2 groups is shown to be better.")
    #expect(
      verdict.sentence.contains(" The best so far is b: in 7 days paying_conversion_7d came to 6.2 % instead of "))
  }

  @Test("Of groups that end together one that is shown to be alike says so")
  func endsAlike() throws {
    var offering = HandMade.offering(
      HandMade.group("alike", users: 500_000, HandMade.proportion(30_500, of: 500_000)),
      HandMade.group("b", users: 5000, HandMade.proportion(310, of: 5000)),
      HandMade.group("c", users: 5000, HandMade.proportion(300, of: 5000)),
      HandMade.group("control", users: 500_000, HandMade.proportion(30_500, of: 500_000)))
    let today = HandMade.asOf.milliseconds / Instant.millisecondsPerDay
    offering.groups[0].tables.arrivals = [ArrivalDay(day: today - 20, users: 500_000)]
    offering.weights = ["alike": 100, "b": 1, "c": 1, "control": 100]
    var metric = HandMade.conversion
    metric.request.margin = 0.05
    let verdict = try #require(try HandMade.night(offering, metrics: [metric]).verdicts.first)
    #expect(verdict.calls.map(\.call) == [.end, .end])
    #expect(verdict.calls.map(\.groups) == [["b", "c"], ["alike"]])
    #expect(verdict.calls[1].reason.contains("within 5 % of control's"), "\(verdict.calls[1].reason)")
  }

  @Test("What is to be done comes before what is open, and of what is open the group that gains most")
  func actFirst() throws {
    let payers: [(Identifier, Int128)] = [("a", 500), ("b", 520), ("control", 500), ("d", 250), ("e", 1000)]
    let groups = payers.map { HandMade.group($0, users: 5000, HandMade.proportion($1, of: 5000)) }
    var offering = HandMade.offering(groups[0], groups[1])
    offering.groups = groups
    let verdict = try #require(try HandMade.night(offering, metrics: [HandMade.conversion]).verdicts.first)
    #expect(verdict.groups.map(\.group.text) == ["e", "d", "b", "a"])
    #expect(verdict.groups.map(\.call) == [.ship, .drop, .keep, .keep])
  }

  @Test("Of an ended test too small the difference is told where it is as large as what the test could have seen")
  func tooSmallAndLarge() throws {
    func reason(_ payers: Int128, amount: Int128) throws -> String {
      var offering = HandMade.offering(
        HandMade.group("a", users: 3000, HandMade.money(payers, paying: amount, of: 3000)),
        HandMade.group("control", users: 3000, HandMade.money(140, paying: 5, of: 3000)))
      let day = HandMade.asOf.milliseconds / Instant.millisecondsPerDay - 60
      for position in offering.groups.indices {
        offering.groups[position].tables.arrivals = [ArrivalDay(day: day, users: 3000)]
      }
      return try #require(
        try HandMade.night(offering, metrics: [HandMade.revenue]).verdicts.first?.groups.first?.reason)
    }
    #expect(
      try reason(16, amount: 900) == """
        The test is over and was too small. One group's sum rests on as few as 16 equal payments; 30 are needed.
        """)
    #expect(
      try reason(0, amount: 5) == """
        The test is over and was too small. One group is still at 0.
        """)
  }

  @Test("Weights are told as a ratio of small whole numbers where they are one")
  func ratios() {
    #expect(SampleRatioWords.ratio([1, 1]) == "1:1")
    #expect(SampleRatioWords.ratio([0.4, 0.3, 0.3]) == "4:3:3")
    #expect(SampleRatioWords.ratio([0.501, 0.499]) == "50.1 % : 49.9 %")
  }
}
