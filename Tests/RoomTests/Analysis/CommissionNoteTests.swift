import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

/// What the store keeps, where nothing tells it.
struct CommissionNoteTests {
  private func night(isReported: Bool, _ positions: SalesLocations = .stores) throws -> NightResult {
    var proceeds = HandMade.metric("proceeds", .mean, scale: 1_000_000, primary: true)
    proceeds.needsCommission = true
    func group(_ id: Identifier, _ measured: MetricMeasurement) -> GroupMeasurement {
      var group = HandMade.group(id, users: 5000, measured)
      (group.tables.sales.users, group.tables.sales.gross, group.tables.sales.net) = (5000, 9_000_000, 8_000_000)
      group.tables.sales.proceeds = 5_600_000
      return group
    }
    var measurement = HandMade.measurement(
      HandMade.offering(
        group("control", HandMade.money(500, paying: 10, of: 5000)),
        group("group_a", HandMade.money(900, paying: 10, of: 5000))))
    measurement.isCommissionReported = isReported
    measurement.salesLocations = positions
    return try Analysis.analyze(
      measurement: measurement, metrics: [proceeds], job: HandMade.job(), asOf: HandMade.asOf)
  }

  @Test("Proceeds that rest on the usual commission say so, and the way of the money ends at net")
  func untold() throws {
    let night = try night(isReported: false)
    #expect(
      night.verdicts[0].note == "Proceeds assume that the store keeps 30 %, for no products table tells it.")
    let page = try Report.html(of: NightStory(of: night))
    #expect(page.contains("What the store keeps of it no products table tells."))
    #expect(page.contains("net in all") && !page.contains("proceeds in all"))
  }

  @Test(
    "On the web nobody keeps a part, and the note says which is assumed",
    arguments: [
      (SalesLocations.web, "nobody keeps a part of sales on the web", 0.0),
      (.both, "the stores keep 30 % and nobody a part of sales on the web", 0.3),
    ])
  func web(positions: SalesLocations, words: String, share: Double) throws {
    let verdict = try night(isReported: false, positions).verdicts[0]
    #expect(verdict.note == "Proceeds assume that \(words), for no products table tells it.")
    #expect(verdict.assumedCommission == share)
  }

  @Test("What is told is the way to proceeds")
  func reported() throws {
    let night = try night(isReported: true)
    #expect(night.verdicts[0].note == nil)
    #expect(try Report.html(of: NightStory(of: night)).contains("proceeds in all"))
  }
}
