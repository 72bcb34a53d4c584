import Statistics
import Testing

@testable import Analysis
@testable import Engine

/// An offering's verdict in a word and in a sentence.
struct VerdictTests {
  private let revenue = HandMade.metric("revenue_net_30d", .mean, scale: 1_000_000, primary: true)

  private func verdict(
    conversions: Int128, payers: Int128, paying units: Int128,
    metrics: [MeasuredMetric], pricesDiffer: Bool = false
  ) throws -> OfferingVerdict {
    var offering = HandMade.offering(
      HandMade.group(
        "control", users: 5000, HandMade.proportion(300, of: 5000), HandMade.money(300, paying: 10, of: 5000)),
      HandMade.group(
        "group_a", users: 5000, HandMade.proportion(conversions, of: 5000),
        HandMade.money(payers, paying: units, of: 5000)))
    offering.pricesDiffer = pricesDiffer
    return try #require(try HandMade.night(offering, metrics: metrics).verdicts.first)
  }

  @Test("A better primary metric makes the group and the offering better")
  func betterPrimaryMetric() throws {
    let verdict = try verdict(
      conversions: 400, payers: 310, paying: 10, metrics: [HandMade.conversion, HandMade.revenue])
    #expect(verdict.decision == .better)
    #expect(
      verdict.sentence == """
        Against control: group_a is better: paying_conversion_7d 33.3 % higher (interval +15.5 % to +54.4 %, \
        adjusted p < 0.0001), better.
        """)
  }

  @Test("A worse primary metric is not hidden by a better one")
  func worsePrimaryMetric() throws {
    let verdict = try verdict(
      conversions: 400, payers: 200, paying: 10, metrics: [HandMade.conversion, revenue])
    #expect(verdict.decision == .worse)
    #expect(verdict.sentence.contains("group_a is better in one metric, but worse in another"))
    #expect(verdict.sentence.contains("paying_conversion_7d 33.3 % higher"))
    #expect(verdict.sentence.contains("revenue_net_30d 33.3 % lower"))
  }

  @Test("Without a primary metric the first one speaks")
  func withoutPrimaryMetric() throws {
    var conversion = HandMade.conversion
    conversion.request.primary = false
    let verdict = try verdict(
      conversions: 400, payers: 200, paying: 10, metrics: [conversion, HandMade.revenue])
    #expect(verdict.decision == .better)
    #expect(!verdict.sentence.contains("revenue_net_30d"))
  }

  @Test("Where prices differ revenue speaks first and conversion alone is no win")
  func pricesDifferRevenue() throws {
    let verdict = try verdict(
      conversions: 400, payers: 400, paying: 7, metrics: [HandMade.conversion, HandMade.revenue],
      pricesDiffer: true)
    #expect(verdict.decision == .inconclusive)
    #expect(
      verdict.sentence.hasPrefix(
        "Groups sell at different prices, so revenue per user comes first. Against control: group_a shows no "
          + "clear difference: revenue_net_30d 6.67 % lower"))
    #expect(verdict.sentence.contains("paying_conversion_7d 33.3 % higher"))
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
        "Do not trust the figures: sample_ratio and sample_ratio_sequential failed. Users did not fall into"))
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
}
