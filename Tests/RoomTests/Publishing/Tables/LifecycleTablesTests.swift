import Foundation
import GRDB
import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Publishing

/// Tables of what users did beside the metrics, and what the summary says of them.
struct LifecycleTablesTests {
  /// 1000 users of `control` and 1000 of `group_a`, whose tables `change` fills in.
  private func night(
    _ change: (inout GroupTables, _ group: Int) -> Void, funnel: (inout Job.Funnel) -> Void = { _ in }
  ) throws -> NightResult {
    let job = HandMade.job { job in
      let steps = ["plan_view", "purchase"].map { Job.Funnel.Step(events: [$0]) }
      job.funnels = [Job.Funnel(name: "pay", steps: steps, withinMilliseconds: nil)]
      funnel(&job.funnels[0])
    }
    let groups = ["control", "group_a"].map { id in
      HandMade.group(Identifier(id), users: 1000, HandMade.proportion(100, of: 1000))
    }
    var offering = HandMade.offering(groups[0], groups[1])
    for index in offering.groups.indices {
      offering.groups[index].tables.funnels = [FunnelCounts(users: [0, 0])]
      change(&offering.groups[index].tables, index)
    }
    return try HandMade.night(offering, metrics: [HandMade.conversion], job: job)
  }

  private func lines(_ table: Publishing.Table) -> [String] {
    String(decoding: CSVExporter.bytes(of: table), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `Funnels tell users, shares and a test of each step against the baseline`() throws {
    let night = try night { tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [500, 50] : [550, 110])]
    }
    func pValue(_ a: (Int128, Int128), _ b: (Int128, Int128)) throws -> Double? {
      let moments = try [a, b].map {
        try SampleMoments(SufficientStatistics(n: $0.1, sumY: $0.0, sumYY: $0.0), kind: .proportion)
      }
      return Comparison(baseline: moments[0], other: moments[1]).pValue
    }
    let first = try #require(try pValue((500, 1000), (550, 1000)))
    let second = try #require(try pValue((50, 500), (110, 550)))
    #expect(first > 0.02 && first < 0.03 && second < 1e-5)
    #expect(
      lines(ResultTable.funnels.table(of: night)) == [
        "offering_id,test_group_id,funnel,step,name,users,of_previous,of_first,p_value_vs_baseline,immature,reachable",
        "spring,control,pay,1,plan_view,500,0.5,1,,0,true", "spring,control,pay,2,purchase,50,0.1,0.1,,0,true",
        "spring,group_a,pay,1,plan_view,550,0.55,1,\(NumberText.real(first)),0,true",
        "spring,group_a,pay,2,purchase,110,0.2,0.2,\(NumberText.real(second)),0,true",
      ])
  }

  @Test func `A step that a group cannot take, and what follows it, is tested against no other`() throws {
    let steps = [Job.Funnel.Step(events: ["trial_start"]), Job.Funnel.Step(events: ["banner"], only: ["group_a"])]
    let night = try night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [500, 0, 0] : [550, 400, 110], immature: 250 * group)]
    }) { $0.steps = steps + [Job.Funnel.Step(events: ["charge"])] }
    #expect(night.funnels.map(\.isReachable) == [true, false, false, true, true, true])
    #expect(night.funnels.map { $0.pValue == nil } == [true, true, true, false, true, true])
    #expect(night.funnels.map(\.ofFirst) == [1, 0, 0, 1, 400.0 / 550, 0.2])
    let text = SummaryTables(night: night, offering: "spring").text
    #expect(text.contains("| trial_start | 500 (50 %) | 550 (55 %, p < 0.0001, 250 more too recent) |"))
    #expect(text.contains("| banner | cannot take it | 400 (72.7 %) |\n| charge | cannot take it | 110 (20 %) |"))
  }

  @Test func `A funnel that parts its users says that nobody drew lots`() throws {
    let night = try night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [550, 110], split: group == 0 ? nil : [400, 90])]
    }) { $0.splitBy = "nudge_sent" }
    #expect(
      lines(ResultTable.funnelSplits.table(of: night)).suffix(4) == [
        "spring,group_a,pay,nudge_sent,no,1,plan_view,150,1",
        "spring,group_a,pay,nudge_sent,no,2,purchase,20,\(NumberText.real(20.0 / 150))",
        "spring,group_a,pay,nudge_sent,yes,1,plan_view,400,1",
        "spring,group_a,pay,nudge_sent,yes,2,purchase,90,0.225",
      ])
    let text = SummaryTables(night: night, offering: "spring").text
    #expect(text.contains("| with nudge_sent: purchase | 0 | 90 (22.5 %) |"))
    #expect(text.contains("| without nudge_sent: purchase | 0 | 20 (13.3 %) |"))
    #expect(
      text.contains(
        """
        Who took the second step before nudge_sent came is among those without it. Nobody drew lots for this: it is no \
        randomized comparison, and the difference need not be an effect.
        """))
    var asked = night
    asked.questions = [Question(text: "Nudged?", funnels: ["pay"])]
    #expect(
      SummaryExporter.text(of: asked).contains(
        """
        - **Nudged?** of those who began funnel pay, purchase was reached by 20 % of group_a, by nudge_sent, which nobody \
        drew lots for: with it 22.5 % of group_a; without it, or before it came, 13.3 % of group_a; its steps below
        """))
  }

  @Test func `A funnel nobody enters has no shares, and few users get an exact test`() throws {
    let nobody = try night { tables, group in tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [3, 0])] }
    #expect(nobody.funnels.map(\.ofFirst) == [nil, nil, 1, 0])
    #expect(nobody.funnels.map(\.ofPrevious) == [0, nil, 0.003, 0])
    let row = nobody.funnels[2]
    // Fisher: 2·C(1000, 3)·C(1000, 0)/C(2000, 3), a quarter but for the draw without replacement.
    #expect(abs(try #require(row.pValue) - 0.249_624_812_406_203_1) < 1e-9)
    #expect(nobody.funnels[3].pValue == nil)
  }

  @Test func `Every state of every group has a row`() throws {
    let night = try night { tables, group in
      tables.states[UserState.subscribed.rawValue] = 30 + group
      tables.states[UserState.never.rawValue] = 970 - group
    }
    let rows = lines(ResultTable.states.table(of: night))
    #expect(rows.count == 21)
    #expect(rows[0] == "offering_id,test_group_id,state,users,share")
    #expect(rows[1] == "spring,control,billing_retry,0,0")
    #expect(rows.contains("spring,control,subscribed,30,0.03"))
    #expect(rows.contains("spring,group_a,never,969,0.969"))
  }

  @Test func `Products' money has six decimals and first buyers come last`() throws {
    let night = try night { tables, group in
      guard group == 1 else { return }
      var sums = ProductTally.Sums()
      (sums.buyers, sums.firstBuyers, sums.charges, sums.refundedCharges) = (2, 1, 3, 1)
      (sums.gross, sums.net, sums.proceeds) = (23_970_000, 21_980_000, 15_386_001)
      tables.products = [ProductSales(product: "=weekly", kind: .autoRenewable, sums: sums)]
    }
    #expect(
      lines(ResultTable.products.table(of: night)) == [
        "offering_id,test_group_id,product_id,kind,buyers,charges,refunded_charges,currency,gross,net,proceeds,"
          + "first_buyers",
        "spring,group_a,'=weekly,auto_renewable,2,3,1,USD,23.970000,21.980000,15.386001,1",
      ])
  }

  @Test func `Failures are listed by event and code`() throws {
    let night = try night { tables, group in
      let counts = FailureTally.Counts(events: 6 + group, transactions: 5, users: 2)
      tables.failures = [
        FailureCount(event: "purchase_failed", code: "E7", counts: counts),
        FailureCount(event: "validation_failed", code: "21003", isOfReceipt: true, counts: counts),
      ]
      tables.receipts = 50
    }
    #expect(
      lines(ResultTable.failures.table(of: night)).prefix(3) == [
        "offering_id,test_group_id,event,code,events,transactions,users,receipts,rate,meaning",
        "spring,control,purchase_failed,E7,6,5,2,,,",
        "spring,control,validation_failed,21003,6,5,2,50,0.1,the receipt could not be authenticated",
      ])
    let text = SummaryTables(night: night, offering: "spring").text
    #expect(
      text.contains(
        "| validation_failed 21003, the receipt could not be authenticated | 5 of 50 (10 %), 2 users | 5 of 50 "))
    #expect(text.contains("| purchase_failed E7 | 5, 2 users | 5, 2 users |"))
    var asked = night
    asked.questions = [Question(text: "Why?", tables: [.failures])]
    #expect(
      SummaryExporter.text(of: asked).contains(
        "- **Why?** validation_failed 21003: 10 % of control's and 10 % of group_a's receipts; failures below\n"))
  }

  @Test func `Old clients stand beside the groups, in words and as a table, and are no comparison`() throws {
    var night = try night { tables, group in
      tables.sales = Sales(
        users: 1000, payers: 40 + group, charges: 50, gross: 100_000_000, net: 90_000_000, proceeds: 63_000_000)
    }
    #expect(SummaryTables(night: night, offering: "spring").outside.isEmpty)
    let old = Sales(users: 345, payers: 16, charges: 32, gross: 363_680_000, net: 347_700_000, proceeds: 1)
    var measured = HandMade.measurement()
    measured.outside = [
      OutsideSales(offering: nil, group: "VAR|1", sales: old), OutsideSales(offering: "o", group: nil, sales: Sales()),
    ]
    night.outside = OutsideRow.rows(of: measured)
    night.questions = [Question(text: "Old ones?", tables: [.outside, .displayPrices, .states])]
    let text = SummaryExporter.text(of: night)
    #expect(
      text.contains(
        """
        - **Old ones?** outside, logged as VAR\\|1: 16 of 345 users paid (4.64 %), 1.01 USD net a user; outside, logged as \
        o: 0 of 0 users paid; beside the groups below, but no lots were drawn for who is outside; states below

        """))
    #expect(
      text.contains(
        """
        | Users outside the test, beside the groups | users | payers | gross | net | net a user |
        |---|--:|--:|--:|--:|--:|
        | outside, logged as VAR\\|1 | 345 | 16 (4.64 %) | 363.68 USD | 347.7 USD | 1.01 USD |
        | outside, logged as o | 0 | 0 | 0 USD | 0 USD |  |

        Nobody drew lots for this: it is no randomized comparison, and the difference need not be an effect.

        """))
  }

  @Test func `Trial days are told by group, of those trials for which the day is over`() throws {
    let night = try night { tables, group in
      tables.trialDays = TrialDays(
        ages: [TrialDays.Count(day: 3, users: 10), TrialDays.Count(day: 40, users: 90)],
        paid: [TrialDays.Count(day: 2, users: 4), TrialDays.Count(day: 29, users: 9 * group)])
    }
    #expect(
      SummaryTables(night: night, offering: "spring").trialDays == """
        | First paid on day of the trial | control | group_a |
        |---|--:|--:|
        | day 2 | 4 (4 %) | 4 (4 %) |
        | day 29 | 0 (0 %) | 9 (10 %) |

        """)
  }

  @Test func `An older database gets the new tables and keeps its nights`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    let tables = ResultTable.tables(of: try PublishedNight.night())
    let added = ["products", "funnels", "states", "retention", "failures"]
    #expect(Set(tables.map(\.name)).isSuperset(of: added))
    let older = tables.filter { !added.contains($0.name) }
    try PublishedNight.write(try PublishedNight.night(), tables: older, toDatabase: path)
    let next = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1))
    try PublishedNight.write(next, tables: ResultTable.tables(of: next), toDatabase: path)
    let database = ResultsDatabase(path: path)
    func count(_ sql: String) throws -> Int? { try database.read { try Int.fetchOne($0, sql: sql) } }
    #expect(try count("SELECT COUNT(*) FROM nights") == 2)
    #expect(try count("SELECT COUNT(*) FROM states") == 20)
    #expect(try count("SELECT COUNT(DISTINCT as_of) FROM comparisons") == 2)
  }

  // MARK: - Summary

  @Test func `The summary tells of funnels, products, states and failures in small tables`() throws {
    let night = try night { tables, group in
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
    let text = SummaryTables(night: night, offering: "spring").text
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
    #expect(SummaryExporter.text(of: night).contains(text))
    #expect(SummaryTables(night: night, offering: "autumn").text == "")
  }

  @Test func `Retention is told for the renewals that were due for someone`() throws {
    var night = try night { tables, _ in tables.states[UserState.subscribed.rawValue] = 1000 }
    let counts = [SurvivalCount(time: 0, ended: 0, censored: 50), SurvivalCount(time: 1, ended: 100, censored: 0)]
    let points = try #require(SurvivalCurve(counts + [SurvivalCount(time: 2, ended: 0, censored: 300)])).points
    night.renewals = ["retention", "retention_90"].flatMap { metric in
      let key = CellKey(offering: "spring", group: "control", segment: "all", metric: Identifier(metric))
      return points.map { RetentionRow(key: key, point: $0) }
    }
    let text = SummaryTables(night: night, offering: "spring").text
    #expect(text.contains("| Subscribers left, retention and retention_90 | control | group_a |\n"))
    for renewal in 1...2 {
      #expect(text.contains("| after renewal \(renewal) was due | 75 % (70.5 % to 79 %) |  |\n"))
    }
    #expect(!text.contains("renewal 3"))
  }

  @Test func `Products beyond a handful are only counted`() throws {
    let night = try night { tables, _ in
      tables.products = (0..<11).map { number in
        var sums = ProductTally.Sums()
        sums.buyers = number + 1
        return ProductSales(product: Identifier("p\(number)"), kind: .consumable, sums: sums)
      }
    }
    let text = SummaryTables(night: night, offering: "spring").text
    #expect(text.contains("| p10 | 11 (0 USD) |") && text.contains("| p3 |") && !text.contains("| p2 |"))
    #expect(text.contains("\nand 3 more products.\n"))
  }
}
