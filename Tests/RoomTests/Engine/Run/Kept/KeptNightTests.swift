import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("A night that is kept")
struct KeptNightTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func night(cutoff: Int64 = 1_775_000_000_000, rates: ExchangeRates? = nil) throws -> KeptNight {
    KeptNight(
      told: KeptNight.Told(
        cutoff: cutoff, firstAssignment: 1_770_000_000_000, nights: 3, metrics: 2, since: nil, logs: [],
        assignments: [], tables: [], strangers: UnassignedPurchases(), chargeValues: []),
      names: KeptNames(EventNames(), values: []), rates: rates ?? ExchangeRates(reporting: .dollar), sought: [],
      unpriced: try UnpricedRows([], of: UnpricedRejects()), sums: [1, 2, 3], users: KeptUsers())
  }

  private func read(_ night: KeptNight, key: String = "ours") throws -> KeptNight? {
    let path = folder.path("kept.night")
    try? FileManager.default.removeItem(atPath: path)
    let file = try FileWriter(creating: path)
    try night.forEachBlock(key: "ours") { try file.write($0) }
    try file.finish()
    return try KeptNight(at: path, key: key)
  }

  @Test("Is read as it was written, and by nobody whose it is not")
  func same() throws {
    let found = try #require(try read(night()))
    #expect(found.sums == [1, 2, 3])
    #expect(found.told.cutoff == 1_775_000_000_000)
    #expect(try read(night(), key: "theirs") == nil)
  }

  @Test("Is refused where its times cannot be", arguments: [Int64.max, .min, 1 << 60])
  func impossibleTimes(cutoff: Int64) throws {
    #expect(throws: BlockFault.self) { try read(night(cutoff: cutoff)) }
  }
}
