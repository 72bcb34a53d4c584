import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// Metrics that are survival curves.
struct SurvivalMetricTests {
  private func metric(_ reading: SurvivalReading = .day(30)) -> MeasuredMetric {
    var metric = HandMade.metric("retention", .mean, primary: true)
    metric.request.windowMilliseconds = nil
    metric.request.reading = reading
    metric.isSurvival = true
    metric.isAtCutoff = true
    return metric
  }

  /// Users by day: how many ended then, and how many were last seen then; and users who never subscribed.
  private func measured(_ days: [(day: Int128, ended: Int, watched: Int)], others: Int = 500) -> MetricMeasurement {
    var measured = MetricMeasurement()
    var all = [(Quantity.zero, others)]
    for (day, ended, watched) in days {
      all.append((survival(Int64(day), isEnded: true).quantity, ended))
      all.append((survival(Int64(day), isEnded: false).quantity, watched))
    }
    for (quantity, users) in all where users > 0 {
      let added = measured.statistics.add(y: quantity.y, x: quantity.x, count: Int128(users))
      #expect(added)
      measured.values.append(ValueCount(y: quantity.y, x: quantity.x, users: users))
    }
    return measured
  }

  /// Of days alone: each user's first renewal is still to come.
  private func survival(_ days: Int64, isEnded: Bool) -> Survival {
    Survival(days: days, isEnded: isEnded, renewals: 0, isRenewalMissed: false)
  }

  private func night(_ a: MetricMeasurement, _ b: MetricMeasurement, _ metric: MeasuredMetric) throws -> NightResult {
    try HandMade.night(
      HandMade.offering(HandMade.group("control", users: 900, a), HandMade.group("group_a", users: 900, b)),
      metrics: [metric])
  }

  /// 400 subscribers: 100 leave after 10 days, 60 after 30, and the rest are watched for 40.
  private var control: MetricMeasurement { measured([(10, 100, 0), (30, 60, 0), (40, 0, 240)]) }
  /// 400 subscribers of whom fewer leave, and 100 are lost sight of after 20 days.
  private var other: MetricMeasurement { measured([(10, 40, 0), (20, 0, 100), (30, 26, 0), (40, 0, 234)]) }

  @Test("A group's value is the share that stays beyond the day, with Greenwood's error")
  func groupValueShare() throws {
    let rows = try night(control, other, metric()).values(of: "retention")
    #expect(rows.map(\.kind) == [.survival, .survival])
    #expect(rows.map(\.users) == [900, 900])
    #expect(rows.map(\.numerator) == [160, 66])
    #expect(rows.map(\.denominator) == [400, 400])
    #expect(rows[0].windowDays == nil)
    #expect(abs(try #require(rows[0].value) - 0.6) < 1e-15)
    // Without censoring Greenwood's error is the binomial one: √(0.6·0.4/400).
    #expect(abs(try #require(rows[0].standardError) - 0.024494897427831782) < 1e-15)
    // 0.9 · (1 − 26/260)
    #expect(abs(try #require(rows[1].value) - 0.81) < 1e-15)
    // 0.81·√(40/(400·360) + 26/(260·234))
    #expect(abs(try #require(rows[1].standardError) - 0.021_508_942_684_023_67) < 1e-12)
    let interval = try #require(rows[0].interval)
    #expect(interval.low < 0.6 && interval.high > 0.6 && interval.low > 0.54 && interval.high < 0.66)
  }

  @Test("Groups are compared by the share and tested by the log-rank")
  func groupsComparedShare() throws {
    let row = try night(control, other, metric()).comparison("group_a", metric())
    #expect(row.test == "log_rank")
    #expect(abs(try #require(row.difference) - 0.21) < 1e-12)
    #expect(abs(try #require(row.lift) - 0.35) < 1e-12)
    // Both curves' pace together: S̄ = 0.6983 at day 30, each group's own numbers at risk.
    let error = 0.033946557326076265
    let interval = try #require(row.differenceInterval)
    #expect(abs(interval.high - interval.low - 2 * 1.959963984540054 * error) < 1e-9)
    func counts(_ days: [(Int, Int, Int)]) -> [SurvivalCount] {
      days.map { SurvivalCount(time: $0.0, ended: $0.1, censored: $0.2) }
    }
    let test = LogRank(
      baseline: counts([(10, 100, 0), (30, 60, 0), (40, 0, 240)]),
      other: counts([(10, 40, 0), (20, 0, 100), (30, 26, 0), (40, 0, 234)]))
    #expect(row.pValue == test?.pValue)
    #expect(row.decision == .better)
    #expect(row.scarcity == nil)
  }

  /// 400 of each group's 900 users subscribed; S̄, each group's numbers at risk and p̄ = 400/900 by hand in double precision.
  @Test("Subscribers kept are decided by the share of all users who subscribe and stay")
  func perUser() throws {
    let night = try night(control, other, metric())
    #expect(try night.comparison("group_a", metric()).isDescriptive)
    let row = try #require(night.comparisons.first { $0.key.metric == "retention_per_user" })
    #expect(row.primary && !row.isDescriptive && row.decision == .better && row.kind == .survival)
    #expect(abs(try #require(row.difference) - 0.09333333333333332) < 1e-15)
    #expect(abs(try #require(row.pValue) / 2.738075471690766e-05 - 1) < 1e-9)
    let interval = try #require(row.differenceInterval)
    #expect(abs(interval.high - interval.low - 2 * 1.959963984540054 * 0.022252826203149112) < 1e-9)
    let values = night.values(of: "retention_per_user")
    #expect(values.map(\.denominator) == [900, 900] && values.map(\.numerator) == [400, 400])
    // √(S²·p(1 − p)/900 + p²·SE²) with S = 0.6 and Greenwood's 0.0245.
    #expect(abs(try #require(values[0].standardError) - 0.014740554623801777) < 1e-12)
    #expect(!night.retention.contains { $0.key.metric == "retention_per_user" })
  }

  @Test("Nobody is called for keeping fewer of the many more who subscribed")
  func moreSubscribers() throws {
    // Twice as many subscribe and 48 % stay where 60 % did: more users stay than before.
    let many = measured([(10, 260, 0), (30, 156, 0), (40, 0, 384)], others: 100)
    let night = try night(control, many, metric())
    #expect(try night.comparison("group_a", metric()).decision == .worse)
    #expect(try #require(night.verdicts.first).groups[0].call == .ship)
  }

  @Test("A curve has a table of its own and no sums")
  func curveTableOwn() throws {
    let night = try night(control, other, metric())
    #expect(night.statistics.isEmpty)
    let lines = String(decoding: CSVExporter.bytes(of: RetentionTable.byDay.table(of: night)), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines[0] == "offering_id,test_group_id,metric,day,at_risk,ended,censored,survival,ci_low,ci_high")
    #expect(lines.count == 8)
    #expect(lines[1].hasPrefix("spring,control,retention,10,400,100,0,0.75,"))
    #expect(lines[5].hasPrefix("spring,group_a,retention,20,360,0,100,0.9,"))
  }

  @Test("Days before anybody left are all there, and days nobody has reached are empty")
  func daysBeforeAnybody() throws {
    let early = try night(control, other, metric(.day(5)))
    #expect(early.values(of: "retention").map(\.value) == [1, 1])
    #expect(try early.comparison("group_a", metric()).notComputable == .nobodyEnded)
    #expect(try early.comparison("group_a", metric()).test == "log_rank")
    let late = try night(control, other, metric(.day(41)))
    #expect(late.values(of: "retention").map(\.value) == [nil, nil])
    #expect(try late.comparison("group_a", metric()).notComputable == .notReached)
    let check = late.checks(named: "not_computable")[0]
    #expect(check.message.contains("nobody of a group has been followed for that long"))
    let onTime = try night(control, other, metric(.day(40)))
    #expect(try onTime.comparison("group_a", metric()).notComputable == nil)
  }

  @Test("Where nobody is left the share is 0 and has no error")
  func nobodyLeftShare() throws {
    let gone = measured([(3, 200, 0)])
    let night = try night(control, gone, metric())
    #expect(night.values(of: "retention")[1].value == 0)
    #expect(night.values(of: "retention")[1].standardError == nil)
    #expect(try night.comparison("group_a", metric()).notComputable == nil, "both curves' pace has a variance")
    let both = try self.night(gone, gone, metric())
    #expect(try both.comparison("group_a", metric()).notComputable == .nobodyLeft)
    let nobody = try self.night(control, measured([]), metric())
    #expect(nobody.values(of: "retention")[1].value == nil)
    #expect(nobody.values(of: "retention")[1].denominator == 0)
    #expect(try nobody.comparison("group_a", metric()).decision == .tooEarly)
  }

  /// Users by renewals paid: how many missed the next one, for how many it was not due yet.
  private func renewing(_ renewals: [(paid: Int64, missed: Int, waiting: Int)]) -> MetricMeasurement {
    var measured = MetricMeasurement()
    for (paid, missed, waiting) in renewals {
      for (users, isMissed) in [(missed, true), (waiting, false)] where users > 0 {
        let quantity = Survival(days: 30 * paid, isEnded: isMissed, renewals: paid, isRenewalMissed: isMissed).quantity
        let added = measured.statistics.add(y: quantity.y, x: quantity.x, count: Int128(users))
        #expect(added)
        measured.values.append(ValueCount(y: quantity.y, x: quantity.x, users: users))
      }
    }
    return measured
  }

  @Test("Read by renewals, users whose first one is not due are watched, and not counted")
  func readRenewalsUsers() throws {
    // 300 first renewals were due: 120 were missed. Of the second 90 were due: 30 were missed.
    let a = renewing([(0, 120, 100), (1, 30, 90), (2, 0, 60)])
    let b = renewing([(0, 60, 500), (1, 0, 240)])
    let night = try night(a, b, metric(.renewals(1)))
    #expect(night.values(of: "retention").map(\.value) == [0.6, 0.8])
    let row = try night.comparison("group_a", metric(.renewals(1)))
    #expect(row.scarcity == nil)
    #expect(row.test == "log_rank")
    #expect(abs(try #require(row.lift) - 1.0 / 3) < 1e-12)
    let second = try self.night(a, b, metric(.renewals(2)))
    #expect(abs(try #require(second.values(of: "retention")[0].value) - 0.4) < 1e-12)
    #expect(second.values(of: "retention")[1].value == nil)
    let lines = String(decoding: CSVExporter.bytes(of: RetentionTable.byRenewal.table(of: night)), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines[0] == "offering_id,test_group_id,metric,renewals_due,at_risk,ended,censored,survival,ci_low,ci_high")
    #expect(lines[1] == "spring,control,retention,0,400,0,100,1,,")
    #expect(lines[2].hasPrefix("spring,control,retention,1,300,120,90,0.6,"))
    #expect(lines[3].hasPrefix("spring,control,retention,2,90,30,60,0.39"))
  }
}

extension NightResult {
  /// Each group's value of one metric, in order of the groups.
  fileprivate func values(of metric: Identifier) -> [GroupMetricRow] {
    groupMetrics.filter { $0.key.metric == metric }
  }
}
