import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

@Suite("Tables of what users did beside the metrics")
struct LifeTablesTests {
  private func lines(_ table: Publishing.Table) -> [String] {
    String(decoding: CSVExporter.bytes(of: table), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("Funnels tell users, shares and a test of each step against the baseline")
  func funnels() throws {
    let night = try CountedNight.night { tables, group in
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
      lines(FunnelsTable().table(of: night)) == [
        "offering_id,test_group_id,funnel,step,name,users,of_previous,of_first,p_value_vs_baseline,immature,reachable",
        "spring,control,pay,1,plan_view,500,0.5,1,,0,true", "spring,control,pay,2,purchase,50,0.1,0.1,,0,true",
        "spring,group_a,pay,1,plan_view,550,0.55,1,\(NumberText.real(first)),0,true",
        "spring,group_a,pay,2,purchase,110,0.2,0.2,\(NumberText.real(second)),0,true",
      ])
  }

  @Test("A step that a group cannot take, and what follows it, is tested against no other")
  func unreachable() throws {
    let steps = [Job.Funnel.Step(events: ["trial_start"]), Job.Funnel.Step(events: ["banner"], only: ["group_a"])]
    let night = try CountedNight.night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [500, 0, 0] : [550, 400, 110], immature: 250 * group)]
    }) { $0.steps = steps + [Job.Funnel.Step(events: ["charge"])] }
    #expect(night.funnels.map(\.isReachable) == [true, false, false, true, true, true])
    #expect(night.funnels.map { $0.pValue == nil } == [true, true, true, false, true, true])
    #expect(night.funnels.map(\.ofFirst) == [1, 0, 0, 1, 400.0 / 550, 0.2])
  }

  @Test("A funnel that parts its users has a row for those with the event and one for those without")
  func split() throws {
    let night = try CountedNight.night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [550, 110], split: group == 0 ? nil : [400, 90])]
    }) { $0.splitBy = "nudge_sent" }
    #expect(
      lines(FunnelSplitsTable().table(of: night)).suffix(4) == [
        "spring,group_a,pay,nudge_sent,no,1,plan_view,150,1",
        "spring,group_a,pay,nudge_sent,no,2,purchase,20,\(NumberText.real(20.0 / 150))",
        "spring,group_a,pay,nudge_sent,yes,1,plan_view,400,1",
        "spring,group_a,pay,nudge_sent,yes,2,purchase,90,0.225",
      ])
  }

  @Test("A funnel nobody enters has no shares, and few users get an exact test")
  func nobody() throws {
    let nobody = try CountedNight.night { tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [3, 0])]
    }
    #expect(nobody.funnels.map(\.ofFirst) == [nil, nil, 1, 0])
    #expect(nobody.funnels.map(\.ofPrevious) == [0, nil, 0.003, 0])
    let row = nobody.funnels[2]
    // Fisher: 2·C(1000, 3)·C(1000, 0)/C(2000, 3), a quarter but for the draw without replacement.
    #expect(abs(try #require(row.pValue) - 0.249_624_812_406_203_1) < 1e-9)
    #expect(nobody.funnels[3].pValue == nil)
  }

  @Test("Every state of every group has a row")
  func states() throws {
    let night = try CountedNight.night { tables, group in
      tables.states[UserState.subscribed.rawValue] = 30 + group
      tables.states[UserState.never.rawValue] = 970 - group
    }
    let rows = lines(StatesTable().table(of: night))
    #expect(rows.count == 21)
    #expect(rows[0] == "offering_id,test_group_id,state,users,share")
    #expect(rows[1] == "spring,control,billing_retry,0,0")
    #expect(rows.contains("spring,control,subscribed,30,0.03"))
    #expect(rows.contains("spring,group_a,never,969,0.969"))
  }

  @Test("Products' money has six decimals and first buyers come last")
  func products() throws {
    let night = try CountedNight.night { tables, group in
      guard group == 1 else { return }
      var sums = ProductSales.Sums()
      (sums.buyers, sums.firstBuyers, sums.charges, sums.refundedCharges) = (2, 1, 3, 1)
      (sums.gross, sums.net, sums.proceeds) = (23_970_000, 21_980_000, 15_386_001)
      tables.products = [ProductSales(product: "=weekly", kind: .autoRenewable, sums: sums)]
    }
    #expect(
      lines(ProductsTable().table(of: night)) == [
        "offering_id,test_group_id,product_id,kind,buyers,charges,refunded_charges,currency,gross,net,proceeds,"
          + "first_buyers",
        "spring,group_a,'=weekly,auto_renewable,2,3,1,USD,23.970000,21.980000,15.386001,1",
      ])
  }

  @Test("Failures are listed by event, code and message")
  func failures() throws {
    let night = try CountedNight.night { tables, group in
      let counts = FailureCount.Counts(events: 6 + group, transactions: 5, users: 2)
      tables.failures = [
        FailureCount(event: "purchase_failed", code: "E7", counts: counts),
        FailureCount(event: "validation_failed", code: "", message: "=Not, found", isOfReceipt: true, counts: counts),
        FailureCount(event: "validation_failed", code: "21003", isOfReceipt: true, counts: counts),
      ]
      tables.receipts = 50
    }
    #expect(
      lines(FailuresTable().table(of: night)).prefix(4) == [
        "offering_id,test_group_id,event,code,message,events,transactions,users,receipts,rate,meaning",
        "spring,control,purchase_failed,E7,,6,5,2,,,",
        "spring,control,validation_failed,,\"'=Not, found\",6,5,2,50,0.1,",
        "spring,control,validation_failed,21003,,6,5,2,50,0.1,the receipt could not be authenticated",
      ])
  }
}
