import Foundation
import Testing

@testable import Domain

@Suite("Names of time zones")
struct ZoneNameTests {
  @Test(
    "A region, an offset and UTC are zones", arguments: ["Europe/London", "America/New_York", "UTC", "GMT", "GMT+0200"])
  func zones(name: String) throws { #expect(throws: Never.self) { try ZoneName.zone(name) } }

  @Test("An offset is a zone without summer time", arguments: [("+02:00", 7200), ("-0330", -12_600), ("+0000", 0)])
  func offsets(name: String, seconds: Int) throws { #expect(try ZoneName.zone(name).secondsFromGMT() == seconds) }

  @Test(
    "What several zones are called is refused with the regions to type",
    arguments: [
      ("BST", "Europe/London"), ("EST", "America/New_York"), ("PST", "America/Los_Angeles"),
      ("est", "America/New_York"),
      ("IST", "Asia/Kolkata"), ("CET", "Europe/Paris"), ("EST5EDT", "America/New_York"), ("MSK", "Europe/Moscow"),
    ])
  func abbreviations(name: String, region: String) throws {
    let fault = try #require(throws: ZoneName.Fault.self) { try ZoneName.zone(name) }
    #expect(fault.words.contains("write the region, ") && fault.words.contains(region), "\(fault.words)")
  }

  @Test("A name that is none is told with the nearest one")
  func typos() throws {
    let fault = try #require(throws: ZoneName.Fault.self) { try ZoneName.zone("Europe/Londn") }
    #expect(fault.words == "is no time zone; did you mean \"Europe/London\"?")
  }
}
