import Foundation
import Testing

@testable import Domain

@Suite("Times in a log")
struct TimeTextTests {
  private func parse(_ text: String, _ zone: String = "GMT", _ unit: TimeUnit = .seconds) throws -> Int64 {
    var reader = TimeText(timezone: try #require(TimeZone(identifier: zone)), unit: unit)
    let bytes = Array(text.utf8)
    return try reader.parse(bytes.span)
  }

  /// 2026-03-02T10:15:30Z.
  private static let moment: Int64 = 1_772_446_530_000

  @Test(
    "Every accepted form is read to the millisecond",
    arguments: [
      ("2026-03-02T10:15:30Z", 0), ("2026-03-02t10:15:30z", 0), ("2026-03-02 10:15:30Z", 0), ("2026-03-02 10:15:30", 0),
      ("2026-03-02T10:15:30", 0), ("2026-03-02T10:15:30+00:00", 0), ("2026-03-02T10:15:30-00:00", 0),
      ("2026-03-02T12:15:30+02:00", 0), ("2026-03-02T04:45:30-05:30", 0), ("2026-03-03T10:14:30+23:59", 0),
      ("2026-03-02T10:15:30.5Z", 500), ("2026-03-02T10:15:30.25", 250), ("2026-03-02 10:15:30.123", 123),
      ("2026-03-02T10:15:30.1234Z", 123), ("2026-03-02T10:15:30.12399Z", 123), ("2026-03-02T10:15:30.999999Z", 999),
      ("2026-03-02T10:15:30.0009999Z", 0), ("2026-03-02T10:15:30.12345678Z", 123),
      ("2026-03-02T10:15:30.999999999Z", 999),
      ("2026-03-02T12:15:30.001+02:00", 1), ("1772446530", 0), ("1772446530.0", 0), ("1772446530.1239999", 123),
      ("1772446530.07", 70),
    ] as [(String, Int64)])
  func forms(text: String, milliseconds: Int64) throws {
    #expect(try parse(text) == Self.moment + milliseconds)
  }

  @Test(
    "Bare numbers count what time_unit says",
    arguments: [
      ("0", 0, 0), ("1", 1000, 1), ("-1", -1000, -1), ("1.5", 1500, 1), ("-1.5", -1500, -1), ("-0.5", -500, 0),
      ("1772446530", 1_772_446_530_000, 1_772_446_530), ("253402300799.999", 253_402_300_799_999, 253_402_300_799),
      ("-62135596800", -62_135_596_800_000, -62_135_596_800), ("000000000000001", 1000, 1),
    ] as [(String, Int64, Int64)])
  func epochs(text: String, asSeconds: Int64, asMilliseconds: Int64) throws {
    #expect(try parse(text) == asSeconds)
    #expect(try parse(text, "GMT", .milliseconds) == asMilliseconds)
    // The zone of local times has no say in them.
    #expect(try parse(text, "Asia/Tokyo") == asSeconds)
  }

  @Test("A date alone is its local midnight")
  func dates() throws {
    #expect(try parse("2026-03-02") == 1_772_409_600_000)
    #expect(try parse("2026-03-02", "Asia/Tokyo") == 1_772_409_600_000 - 9 * 3_600_000)
    #expect(try parse("1970-01-01") == 0)
    #expect(try parse("0001-01-01") == TimeText.earliest)
    #expect(try parse("9999-12-31") == TimeText.latest - 86_400_000)
    #expect(try parse("9999-12-31T23:59:59.999Z") == TimeText.latest - 1)
    #expect(try parse("1969-12-31T23:59:59.999Z") == -1)
  }

  @Test("Leap days are there in leap years alone", arguments: [1600, 1900, 1996, 2000, 2023, 2024, 2026, 2100, 2400])
  func leapDays(year: Int) throws {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    #expect(((try? parse("\(year)-02-29")) != nil) == isLeap)
    #expect(try parse("\(year)-03-01") - parse("\(year)-02-28") == (isLeap ? 2 : 1) * 86_400_000)
  }

  @Test(
    "Anything else is no time",
    arguments: [
      "", " ", "-", ".", "-.", "+1", "1.", ".5", "1e9", "1 ", " 1", "1,5", "0x10", "1772446530Z",
      "now", "nan",
      "-", "2026-03", "2026-3-2", "2026-03-2",
      "2026/03/02",
      "02.03.2026", "2026-00-02", "2026-13-02", "2026-03-00", "2026-03-32", "2026-04-31", "2026-02-29", "0000-01-01",
      "10000-01-01",
      "+2026-03-02", "-2026-03-02", "2026-03-02T", "2026-03-02 ", "2026-03-02T10", "2026-03-02T10:15",
      "2026-03-02T10:15Z",
      "2026-03-02T24:00:00Z", "2026-03-02T23:60:00Z", "2026-03-02T23:59:60Z", "2026-03-02T1:15:30Z",
      "2026-03-02T10:15:30.Z",
      "2026-03-02T10:15:30.", "2026-03-02T10:15:30.1234567890Z", "2026-03-02T10:15:30,5Z", "2026-03-02T10:15:30 Z",
      "2026-03-02X10:15:30Z",
      "2026-03-02T10-15-30Z", "2026-03-02T10:15:30ZZ", "2026-03-02T10:15:30+2", "2026-03-02T10:15:30+02",
      "2026-03-02T10:15:30+0200",
      "2026-03-02T10:15:30+02:0", "2026-03-02T10:15:30+24:00", "2026-03-02T10:15:30+02:60",
      "2026-03-02T10:15:30+02:00:00",
      "2026-03-02T10:15:30 UTC", "2026-03-02T10:15:30±02:00", "२०२६-03-02", "2026-03-02\0", "2026-03-02T10:15:30\0",
      "2026-03-02\n",
      "Mon, 02 Mar 2026", "2026-W10-1", "2026-061",
    ])
  func rubbish(text: String) {
    #expect(throws: TimeText.Fault.notATime) { try parse(text) }
    #expect(throws: TimeText.Fault.notATime) { try parse(text, "Europe/London") }
  }

  @Test("Random instants come back from every way to write them")
  func random() throws {
    let seed: UInt64 = 1970
    var dice = Dice(seed: seed)
    for _ in 0..<3000 {
      let instant = Int64.random(in: TimeText.earliest..<TimeText.latest, using: &dice)
      let text = Instant(milliseconds: instant).rfc3339
      #expect(try parse(text) == instant, "seed \(seed): \(text)")
      #expect(try parse("\(instant)", "GMT", .milliseconds) == instant)
    }
  }

  @Test("Mutilated times are read or refused, never a crash")
  func mutilated() throws {
    var dice = Dice(seed: 3)
    let forms = ["2026-03-02T10:15:30.123456789+02:00", "2026-03-29 01:30:00", "1772446530.123", "2026-03-02"].map {
      Array($0.utf8)
    }
    var reader = TimeText(timezone: try #require(TimeZone(identifier: "Europe/London")), unit: .seconds)
    for _ in 0..<5000 {
      var text = dice.pick(forms)
      for _ in 0...dice.below(3) {
        let place = dice.below(text.count)
        if dice.chance(0.5) {
          text[place] = UInt8.random(in: 0...255, using: &dice)
        } else {
          text.removeSubrange(place...)
        }
        if text.isEmpty { break }
      }
      let parsed = try? reader.parse(text.span)
      if let parsed { #expect((TimeText.earliest - 86_400_000..<TimeText.latest + 86_400_000).contains(parsed)) }
    }
  }
}
