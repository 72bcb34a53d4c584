import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

/// The tables that the page needs beside the metrics, and what is found in them.
@Suite("offers, copy, arrivals, money and plans")
struct PageTablesTests {
  private func csv(_ table: any ResultTable) throws -> String {
    String(decoding: CSVExporter.bytes(of: table.table(of: try CountedNight.everything())), as: UTF8.self)
  }

  @Test("offers.csv: a row a product that a group shows")
  func offers() throws {
    #expect(
      try csv(OffersTable()) == """
        offering_id,test_group_id,position,product_id,display_price,period,is_default,badge,subtitle,type
        spring,group_a,,pass,,,false,,,
        spring,group_a,1,"weekly, ""7""\","'-7,99 €",P1W,true,Popular,per week,weekly

        """)
  }

  @Test("copy.csv: a row a text that a group shows")
  func copy() throws {
    #expect(
      try csv(CopyTable()) == """
        offering_id,test_group_id,field,text
        spring,group_a,cta_button_text,'=Go
        spring,group_a,header_title,"Two
        lines"
        spring,unknown,header_title,?

        """)
  }

  @Test("arrivals.csv: a row a day on which somebody began")
  func arrivals() throws {
    #expect(
      try csv(ArrivalsTable()) == """
        offering_id,test_group_id,day,users
        spring,control,2026-02-28,400
        spring,control,2026-03-02,600
        spring,group_a,2026-02-28,401
        spring,group_a,2026-03-02,599

        """)
  }

  @Test("money.csv: exact sums that go into each other")
  func money() throws {
    #expect(
      try csv(MoneyTable()) == """
        offering_id,test_group_id,users,currency,gross,refunds,net,tax,store_share,proceeds
        spring,control,1000,USD,10.000000,2.000000,8.000000,1.000001,1.999999,5.000000
        spring,group_a,1000,USD,10.000000,2.000000,8.000000,1.000001,1.999999,5.000000

        """)
  }

  @Test("plans.csv: a row a metric of the verdict, empty where nothing can be planned")
  func plans() throws {
    var night = try CountedNight.everything()
    night.plans = [
      PlanRow(
        offering: "spring", metric: "m", lift: -0.1, usersNow: 6000, usersNeeded: 106_418, nightsMore: 335,
        detectableLift: 0.43, usersPerDay: 300.5),
      PlanRow(offering: "spring", metric: "end", lift: 0.1, usersNeeded: 7, enrolmentEndsBefore: true),
      PlanRow(offering: "autumn", metric: "m"),
    ]
    #expect(
      String(decoding: CSVExporter.bytes(of: PlansTable().table(of: night)), as: UTF8.self) == """
        offering_id,metric,lift,users_now,users_needed,nights_more,enrolment_ends_before,detectable_lift,plan,detectable_at_end,users_per_day
        autumn,m,,,,,false,,,,
        spring,end,0.1,,7,,true,,,,
        spring,m,-0.1,6000,106418,335,false,0.43,,,300.5

        """)
  }

  @Test("A story finds what each group showed, the baseline's first, texts from the top of the paywall to its foot")
  func cards() throws {
    let offers = try NightStory.spring(try CountedNight.everything()).offers
    #expect(offers.map(\.group.text) == ["group_a", "unknown"])
    #expect(offers[0].products.map(\.product.text) == ["pass", "weekly, \"7\""])
    let weekly = try #require(offers[0].products.last)
    #expect(weekly.price == "-7,99 €" && weekly.period == "P1W" && weekly.kind == "weekly" && weekly.isDefault)
    #expect(weekly.badge == "Popular" && weekly.subtitle == "per week")
    let pass = offers[0].products[0]
    #expect(pass.price == nil && pass.period == nil && pass.kind == nil && pass.badge == nil && !pass.isDefault)
    #expect(offers[0].copy.map(\.text) == ["Two\nlines", "=Go"])
    #expect(offers[1].products.isEmpty && offers[1].copy.map(\.field) == ["header_title"])
  }

  @Test("A story finds who came when, and the way of the money")
  func counts() throws {
    let story = try NightStory.spring(try CountedNight.everything())
    #expect(story.arrivals.map(\.group.text) == ["control", "group_a"])
    #expect(story.arrivals.map(\.users) == [1000, 1000])
    #expect(story.arrivals[1].days.map(\.day) == ["2026-02-28", "2026-03-02"])
    let way = try #require(story.money.first)
    #expect(way.group.text == "control" && way.users == 1000)
    #expect([way.gross, way.refunds, way.net].map { $0?.micros } == [10_000_000, 2_000_000, 8_000_000])
    #expect([way.tax, way.storeShare, way.proceeds].map { $0?.micros } == [1_000_001, 1_999_999, 5_000_000])
  }

  @Test("A story finds the plans of the verdict's metrics, under their labels")
  func planned() throws {
    let night = try CountedNight.everything()
    let plan = try #require(try NightStory.spring(night).plans.first)
    let row = try #require(night.plans.first)
    #expect(plan.metric.name == row.metric && plan.metric.label == HandMade.conversion.wording.label)
    #expect(plan.lift == 0.1 && plan.usersNow == 2000 && plan.usersNeeded == row.usersNeeded)
    #expect(plan.nightsMore == nil && plan.usersPerDay == nil && !plan.endsBefore && plan.detectableLift != nil)
  }
}
