import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Publishing

@Suite("The summary's tables")
struct SummaryTablesTests {
  /// What the summary says of the night's offering beside its lifts.
  private func tables(_ night: NightResult) throws -> SummaryTables {
    SummaryTables(offering: try NightStory.spring(night))
  }

  @Test("Funnels, products, states and failures stand in small tables")
  func small() throws {
    let night = try CountedNight.night { tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [500, 50] : [550, 110])]
      tables.states[UserState.setToExpire.rawValue] = 100
      tables.states[UserState.never.rawValue] = 900
      var sums = ProductTally.Sums()
      (sums.buyers, sums.net) = (100 + group, 1_234_500_000)
      tables.products = [ProductSales(product: "weekly|7", kind: .autoRenewable, sums: sums)]
      if group == 1 {
        let counts = FailureTally.Counts(events: 9, transactions: 5, users: 2)
        tables.failures = [FailureCount(event: "validation_failed", code: "21003", counts: counts)]
      }
    }
    let text = try tables(night).text
    #expect(
      text == """

        | Funnel pay | control | group_a |
        |---|--:|--:|
        | plan_view | 500 (50 %) | 550 (55 %, p = 0.025) |
        | purchase | 50 (10 %) | 110 (20 %, p < 0.0001) |

        | Buyers by product (net money) | control | group_a |
        |---|--:|--:|
        | weekly\\|7 | 100 (1,234.5 USD) | 101 (1,234.5 USD) |

        | Where users stand | control | group_a |
        |---|--:|--:|
        | set to expire | 100 (10 %) | 100 (10 %) |
        | never | 900 (90 %) | 900 (90 %) |

        | Failures by code (distinct receipts) | control | group_a |
        |---|--:|--:|
        | validation_failed 21003, the receipt could not be authenticated |  | 5, 2 users |

        """)
    #expect(Summary.text(of: NightStory(of: night)).contains(text))
  }

  @Test("A step that a group cannot take says so, and who came too late to be counted is told")
  func unreachable() throws {
    let steps = [Job.Funnel.Step(events: ["trial_start"]), Job.Funnel.Step(events: ["banner"], only: ["group_a"])]
    let night = try CountedNight.night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [500, 0, 0] : [550, 400, 110], immature: 250 * group)]
    }) { $0.steps = steps + [Job.Funnel.Step(events: ["charge"])] }
    let text = try tables(night).funnels
    #expect(text.contains("| trial_start | 500 (50 %) | 550 (55 %, p < 0.0001, 250 more too recent) |"))
    #expect(text.contains("| banner | cannot take it | 400 (72.7 %) |\n| charge | cannot take it | 110 (20 %) |"))
  }

  @Test("A funnel that parts its users says that nobody drew lots")
  func split() throws {
    let night = try CountedNight.night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [550, 110], split: group == 0 ? nil : [400, 90])]
    }) { $0.splitBy = "nudge_sent" }
    let text = try tables(night).funnelSplits
    #expect(text.contains("| with nudge_sent: purchase | 0 | 90 (22.5 %) |"))
    #expect(text.contains("| without nudge_sent: purchase | 0 | 20 (13.3 %) |"))
    #expect(
      text.contains(
        """
        Who took the second step before nudge_sent came is among those without it. Nobody drew lots for this: it is no \
        randomized comparison, and the difference need not be an effect.
        """))
  }

  @Test("Failed receipts are told of all that were sent, other failures by themselves")
  func failures() throws {
    let night = try CountedNight.night { tables, group in
      let counts = FailureTally.Counts(events: 6 + group, transactions: 5, users: 2)
      tables.failures = [
        FailureCount(event: "purchase_failed", code: "E7", counts: counts),
        FailureCount(event: "validation_failed", code: "21003", isOfReceipt: true, counts: counts),
      ]
      tables.receipts = 50
    }
    let text = try tables(night).failures
    #expect(
      text.contains(
        "| validation_failed 21003, the receipt could not be authenticated | 5 of 50 (10 %), 2 users | 5 of 50 "))
    #expect(text.contains("| purchase_failed E7 | 5, 2 users | 5, 2 users |"))
  }

  @Test("Old clients stand beside the groups, and are no comparison")
  func outside() throws {
    var night = try CountedNight.night { tables, group in
      tables.sales = Sales(
        users: 1000, payers: 40 + group, charges: 50, gross: 100_000_000, net: 90_000_000, proceeds: 63_000_000)
    }
    #expect(try tables(night).outside.isEmpty)
    night.outside = CountedNight.outside
    #expect(
      try tables(night).outside == """
        | Users outside the test, beside the groups | users | payers | gross | net | net a user |
        |---|--:|--:|--:|--:|--:|
        | outside, logged as VAR\\|1 | 345 | 16 (4.64 %) | 363.68 USD | 347.7 USD | 1.01 USD |
        | outside, logged as o | 0 | 0 | 0 USD | 0 USD |  |

        Nobody drew lots for this: it is no randomized comparison, and the difference need not be an effect.

        """)
  }

  @Test("Trial days are told by group, of those trials for which the day is over")
  func trialDays() throws {
    let night = try CountedNight.night { tables, group in
      tables.trialDays = TrialDays(
        ages: [TrialDays.Count(day: 3, users: 10), TrialDays.Count(day: 40, users: 90)],
        paid: [TrialDays.Count(day: 2, users: 4), TrialDays.Count(day: 29, users: 9 * group)])
    }
    #expect(
      try tables(night).trialDays == """
        | First paid on day of the trial | control | group_a |
        |---|--:|--:|
        | day 2 | 4 (4 %) | 4 (4 %) |
        | day 29 | 0 (0 %) | 9 (10 %) |

        """)
  }

  @Test("Retention is told for the renewals that were due for someone, once for metrics that read one curve")
  func retention() throws {
    var night = try CountedNight.night { tables, _ in tables.states[UserState.subscribed.rawValue] = 1000 }
    night.renewals = CountedNight.renewals(of: ["retention", "retention_90"])
    let text = try tables(night).text
    #expect(text.contains("| Subscribers left, retention and retention_90 | control | group_a |\n"))
    for renewal in 1...2 {
      #expect(text.contains("| after renewal \(renewal) was due | 75 % (70.5 % to 79 %) |  |\n"))
    }
    #expect(!text.contains("renewal 3"))
  }

  @Test("Products beyond a handful are only counted")
  func manyProducts() throws {
    let night = try CountedNight.night { tables, _ in
      tables.products = (0..<11).map { number in
        var sums = ProductTally.Sums()
        sums.buyers = number + 1
        return ProductSales(product: Identifier("p\(number)"), kind: .consumable, sums: sums)
      }
    }
    let text = try tables(night).products
    #expect(text.contains("| p10 | 11 (0 USD) |") && text.contains("| p3 |") && !text.contains("| p2 |"))
    #expect(text.contains("\nand 3 more products.\n"))
  }

  @Test("What was bought by store and paywall stands beside the sentence that it is no comparison")
  func charges() throws {
    #expect(
      try tables(try CountedNight.night(sales: CountedNight.sales)).charges == """
        | Buyers by paywall (net money) | control | group_a |
        |---|--:|--:|
        | =a\\|b |  | 2 (1,000 USD) |
        | (empty) |  | 1 (20 USD) |

        | Buyers by store (net money) | control | group_a |
        |---|--:|--:|
        | ios |  | 3 (1,020 USD) |

        \(ChargesByAttribute.note)

        """)
    #expect(try tables(try CountedNight.night(sales: [])).charges.isEmpty)
  }
}
