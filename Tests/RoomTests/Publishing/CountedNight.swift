import Statistics

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Nights in which something was counted beside the metrics.
enum CountedNight {
  /// 1000 users of `control` and 1000 of `group_a`, whose tables `change` fills in.
  static func night(
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

  /// A night in which group_a's users bought `sales`.
  static func night(sales: [AttributeSales]) throws -> NightResult {
    try night { tables, group in if group == 1 { tables.attributes = sales } }
  }

  /// What was bought by paywall and by store.
  static let sales = [
    AttributeSales(attribute: "paywall", value: "", sums: sums(1, charges: 2, net: 20)),
    AttributeSales(attribute: "paywall", value: "=a|b", sums: sums(2, charges: 3, net: 1000)),
    AttributeSales(attribute: "store", value: "ios", sums: sums(3, charges: 5, net: 1020)),
  ]

  private static func sums(_ buyers: Int, charges: Int, net: Int128) -> ProductSales.Sums {
    var sums = ProductSales.Sums()
    (sums.buyers, sums.charges, sums.refundedCharges) = (buyers, charges, 1)
    (sums.gross, sums.net, sums.proceeds) = (net * 1_100_000, net * 1_000_000, net * 700_000)
    return sums
  }

  /// Users of old clients, and an offering nobody knows.
  static var outside: [OutsideRow] {
    let old = Sales(users: 345, payers: 16, charges: 32, gross: 363_680_000, net: 347_700_000, proceeds: 1)
    var measured = HandMade.measurement()
    measured.outside = [
      OutsideSales(offering: nil, group: "VAR|1", sales: old), OutsideSales(offering: "o", group: nil, sales: Sales()),
    ]
    return OutsideRow.rows(of: measured)
  }

  /// A sum that grew and a refund, of money and of users.
  static var changes: [ChangeRow] {
    [HandMade.conversion, HandMade.revenue].flatMap { metric in
      [(ChangePart.windowsEnded, Int128(5), Int128(2_500_000)), (.refunds, 0, -500_001)].map { part, users, y in
        ChangeRow(
          key: CellKey(offering: "spring", group: "control", metric: Identifier(metric.request.id)),
          kind: metric.resultKind, isMoney: metric.isMoney, previousNight: "2026-03-30",
          previousAsOf: Instant(milliseconds: 1_774_915_200_000), part: part, sums: SufficientSums(n: users, y: y),
          valueMicros: y / 10, before: 100_000, now: 300_000)
      }
    }
  }

  /// A file that came late, and one that is gone.
  static var changedFiles: [ChangedFile] {
    let previous = PreviousNight(night: "2026-03-30", asOf: Instant(milliseconds: 1_774_915_200_000), files: [])
    var late = LateCounts()
    (late.rows, late.users, late.charges, late.gross) = (3, 2, 1, 9_990_000)
    return [
      ChangedFile(
        input: "purchases", file: "=late.jsonl", change: .late, since: previous, now: .init(read: 4, used: 3),
        late: late),
      ChangedFile(
        input: "purchases", file: "gone.jsonl", change: .gone, since: previous, before: .init(read: 9, used: 9)),
    ]
  }

  /// What control would have shown the night before.
  static var restated: [RestatedRow] {
    [
      RestatedRow(
        key: CellKey(offering: "spring", group: "control", metric: Identifier(HandMade.revenue.request.id)),
        kind: HandMade.revenue.resultKind, isMoney: true, previousNight: "2026-03-30",
        previousAsOf: Instant(milliseconds: 1_774_915_200_000), published: 100_000, restated: 300_000)
    ]
  }

  /// One curve of control's: 100 of 450 missed the first renewal, and 300 wait for their third.
  static func renewals(of metrics: [Identifier]) -> [RetentionRow] {
    let counts = [SurvivalCount(time: 0, ended: 0, censored: 50), SurvivalCount(time: 1, ended: 100, censored: 0)]
    let points = SurvivalCurve(counts + [SurvivalCount(time: 2, ended: 0, censored: 300)])?.points ?? []
    return metrics.flatMap { metric in
      let key = CellKey(offering: "spring", group: "control", segment: "all", metric: metric)
      return points.map { RetentionRow(key: key, point: $0) }
    }
  }

  /// What groups show: a price that a spreadsheet would run, a text of two lines, and a product that tells little.
  static let cards = [
    GroupCard(
      group: "group_a",
      card: PaywallCard(
        products: [
          PaywallCard.Product(
            id: "weekly, \"7\"", position: 1, displayPrice: "-7,99 €", type: "weekly", isDefault: true,
            badge: "Popular", subtitle: "per week", period: Period(days: 7)),
          PaywallCard.Product(id: "pass"),
        ],
        copy: [
          PaywallCard.CopyLine(field: "cta_button_text", text: "=Go"),
          PaywallCard.CopyLine(field: "header_title", text: "Two\nlines"),
        ])),
    GroupCard(group: "unknown", card: PaywallCard(copy: [PaywallCard.CopyLine(field: "header_title", text: "?")])),
  ]

  /// A price test of two groups, each with a product of its own.
  static var prices: PriceTest? {
    let groups = [("control", "weekly, \"5\"", 60, 4_990_000), ("group_a", "=weekly_6", 50, 5_990_000)].map { sold in
      var group = HandMade.group(Identifier(sold.0), users: 400)
      var sums = GroupPayments.Sums()
      (sums.buyers, sums.charges, sums.firsts) = (sold.2, 2 * sold.2, sold.2)
      (sums.gross, sums.firstGross) = (Int128(2 * sold.2 * sold.3), Int128(sold.2 * sold.3))
      sums.firstSquares = Int128(sold.2) * Int128(sold.3) * Int128(sold.3)
      group.tables.payments.blocks = [0, 1].map { GroupPayments.Block(number: $0, users: 200, payers: sold.2 / 2) }
      group.tables.payments.products = [
        GroupPayments.Product(id: Identifier(sold.1), kind: .autoRenewable, sums: [0: sums])
      ]
      return group
    }
    var offering = HandMade.offering(groups[0], groups[1])
    offering.priceDifference = .charged
    let job = HandMade.job()
    return PriceTest(
      offering, baseline: "control", job: job, settings: HandMade.settings(job), isUntrusted: false)
  }

  /// A night in which every table has rows, in names that need care.
  static func everything() throws -> NightResult {
    var night = try night({ tables, group in
      tables.funnels = [FunnelCounts(users: [500, 50 + 60 * group], split: [300, 40], immature: group)]
      tables.states[UserState.setToExpire.rawValue] = 100
      tables.products = [
        ProductSales(product: "weekly, \"7\"", kind: .autoRenewable, sums: sums(7, charges: 9, net: 8))
      ]
      tables.attributes = sales
      let failed = FailureCount.Counts(events: 6, transactions: 5, users: 2)
      tables.failures = [FailureCount(event: "validation_failed", code: "21003", isOfReceipt: true, counts: failed)]
      tables.receipts = 50
      tables.arrivals = [ArrivalDay(day: 20_512, users: 400 + group), ArrivalDay(day: 20_514, users: 600 - group)]
      tables.sales = Sales(
        users: 1000, payers: 7, charges: 9, gross: 10_000_000, net: 8_000_000, proceeds: 5_000_000, tax: 1_000_001)
      tables.trialDays = TrialDays(
        ages: [TrialDays.Count(day: 40, users: 90)], paid: [TrialDays.Count(day: 2, users: 4)])
      var differing = DisplayedCharges.Counts(charges: 9)
      (differing.compared, differing.differing, differing.example) = (8, 1, 990_001)
      let displayed = CurrencyAmount(micros: 7_990_000, currency: Currency("USD".utf8) ?? .none)
      tables.displayPrices = [
        DisplayedCharges(product: "weekly, \"7\"", displayed: displayed, counts: differing)
      ]
    }) { $0.splitBy = "nudge_sent" }
    let compared = try PublishedNight.night()
    night.groupMetrics = compared.groupMetrics
    night.comparisons = compared.comparisons
    night.daily = DailyComparisons(
      compared.comparisons.map { DailyComparisonRow(asOf: HandMade.asOf, comparison: $0) })
    night.checks = compared.checks
    night.accounts = compared.accounts
    night.outside = outside
    var shown = HandMade.offering()
    shown.cards = cards
    night.counted.add(shown)
    if let test = prices {
      night.priceResponse = test.response
      night.revenueParts = test.parts
    }
    night.changes = changes
    night.changedFiles = changedFiles
    night.restated = restated
    night.renewals = renewals(of: ["retention"])
    night.retention = renewals(of: ["retention"])
    night.questions = [
      Question(
        text: "Why?", metrics: [HandMade.conversion.request.id], funnels: ["pay"],
        tables: Question.AnswerTable.allCases, checks: ["rejects"])
    ]
    return night
  }
}
