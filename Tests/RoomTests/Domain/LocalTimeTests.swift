import Foundation
import Testing

@testable import Domain

@Suite("Wall clocks")
struct LocalTimeTests {
  private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

  private func instant(_ text: String, _ name: String) throws -> String {
    var reader = TimeText(timezone: try zone(name), unit: .seconds)
    let bytes = Array(text.utf8)
    return Instant(milliseconds: try reader.parse(bytes.span)).rfc3339
  }

  @Test(
    "Times on both sides of a clock change are read with their own offset",
    arguments: [
      ("Europe/London", "2026-03-29 00:59:59.999", "2026-03-29T00:59:59.999Z"),
      ("Europe/London", "2026-03-29 02:00:00", "2026-03-29T01:00:00Z"),
      ("Europe/London", "2026-10-25 00:59:59", "2026-10-24T23:59:59Z"),
      ("Europe/London", "2026-10-25 02:00:00", "2026-10-25T02:00:00Z"),
      ("America/New_York", "2026-03-08 01:59:59", "2026-03-08T06:59:59Z"),
      ("America/New_York", "2026-03-08 03:00:00", "2026-03-08T07:00:00Z"),
      ("America/New_York", "2026-11-01 00:59:59", "2026-11-01T04:59:59Z"),
      ("America/New_York", "2026-11-01 02:00:00", "2026-11-01T07:00:00Z"),
      ("Australia/Lord_Howe", "2026-04-05 01:29:59", "2026-04-04T14:29:59Z"),
      ("Australia/Lord_Howe", "2026-04-05 02:00:00", "2026-04-04T15:30:00Z"),
      ("Australia/Lord_Howe", "2026-10-04 01:59:59", "2026-10-03T15:29:59Z"),
      ("Australia/Lord_Howe", "2026-10-04 02:30:00", "2026-10-03T15:30:00Z"),
      ("America/Sao_Paulo", "2018-11-03 23:59:59", "2018-11-04T02:59:59Z"),
      ("America/Sao_Paulo", "2018-11-04 01:00:00", "2018-11-04T03:00:00Z"),
      ("Asia/Kolkata", "2026-06-01 00:00:00", "2026-05-31T18:30:00Z"),
      ("Pacific/Kiritimati", "2026-06-01 00:00:00", "2026-05-31T10:00:00Z"),
    ])
  func aroundChanges(zone: String, local: String, utc: String) throws {
    #expect(try instant(local, zone) == utc)
  }

  @Test(
    "Times a clock change skipped or repeated are refused, and taken with an offset",
    arguments: [
      ("Europe/London", "2026-03-29 01:00:00"), ("Europe/London", "2026-03-29 01:30:00"),
      ("Europe/London", "2026-03-29 01:59:59.999"),
      ("Europe/London", "2026-10-25 01:00:00"), ("Europe/London", "2026-10-25 01:59:59.999"),
      ("America/New_York", "2026-03-08 02:00:00"),
      ("America/New_York", "2026-03-08 02:59:59"), ("America/New_York", "2026-11-01 01:00:00"),
      ("America/New_York", "2026-11-01 01:59:59"),
      ("Australia/Lord_Howe", "2026-04-05 01:30:00"), ("Australia/Lord_Howe", "2026-04-05 01:59:59"),
      ("Australia/Lord_Howe", "2026-10-04 02:00:00"), ("Australia/Lord_Howe", "2026-10-04 02:29:59"),
      ("America/Sao_Paulo", "2018-11-04 00:00:00"),
      ("America/Sao_Paulo", "2018-11-04 00:59:59"),
      ("America/Sao_Paulo", "2018-02-17 23:30:00"),
    ])
  func ambiguous(zone: String, local: String) throws {
    #expect(throws: TimeText.Fault.ambiguous) { try instant(local, zone) }
    let withOffset = try instant(local + "+00:00", zone)
    #expect(withOffset.hasPrefix(local.prefix(10)))
  }

  @Test("The zone's name does not matter where it is UTC", arguments: ["GMT", "UTC", "Etc/UTC", "Etc/GMT"])
  func utc(name: String) throws {
    #expect(try instant("2026-03-29 01:30:00", name) == "2026-03-29T01:30:00Z")
  }

  @Test("A day begins at midnight, behind the gap that skips it, or at the first of two midnights")
  func startOfDay() throws {
    func start(_ day: CivilDate, _ name: String) throws -> String {
      var zone = LocalTime(timezone: try self.zone(name))
      return Instant(milliseconds: zone.startOfDay(day.day)).rfc3339
    }
    #expect(try start(CivilDate(year: 2026, month: 3, dayOfMonth: 29), "Europe/London") == "2026-03-29T00:00:00Z")
    #expect(try start(CivilDate(year: 2026, month: 3, dayOfMonth: 30), "Europe/London") == "2026-03-29T23:00:00Z")
    #expect(try start(CivilDate(year: 2018, month: 11, dayOfMonth: 4), "America/Sao_Paulo") == "2018-11-04T03:00:00Z")
    #expect(try start(CivilDate(year: 2018, month: 2, dayOfMonth: 18), "America/Sao_Paulo") == "2018-02-18T03:00:00Z")
    #expect(try start(CivilDate(year: 2026, month: 11, dayOfMonth: 1), "America/Havana") == "2026-11-01T04:00:00Z")
  }

  @Test(
    "Random times agree with Foundation's calendar",
    arguments: [
      "Europe/London", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kolkata",
      "Pacific/Auckland", "America/Havana",
      "Asia/Kathmandu", "America/St_Johns", "Africa/Casablanca",
    ])
  func againstFoundation(name: String) throws {
    let seed: UInt64 = 1_883
    var dice = Dice(seed: seed)
    let timezone = try zone(name)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timezone
    var own = LocalTime(timezone: timezone)
    for _ in 0..<400 {
      let day = Int64(dice.below(20_000)) + 1000
      let start = own.startOfDay(day)
      let noon = Date(timeIntervalSince1970: Double(start) / 1000 + 12 * 3600)
      #expect(Int64(calendar.startOfDay(for: noon).timeIntervalSince1970) * 1000 == start, "seed \(seed), day \(day)")

      // What the clock shows at a random instant leads back to it, unless the clock shows it twice.
      let instant = day * Instant.millisecondsPerDay + Int64(dice.below(86_400)) * 1000
      let offset = Int64(timezone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1000))) * 1000
      do {
        #expect(try own.instant(local: instant + offset) == instant, "seed \(seed), instant \(instant)")
      } catch {
        let shown = ([-7_200_000, -3_600_000, -1_800_000, 1_800_000, 3_600_000, 7_200_000] as [Int64]).filter { shift in
          let other = Date(timeIntervalSince1970: Double(instant + shift) / 1000)
          return Int64(timezone.secondsFromGMT(for: other)) * 1000 + shift == offset
        }
        #expect(!shown.isEmpty, "seed \(seed): \(instant) is shown once in \(name)")
      }
    }
  }
}
