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
      ("2026-03-02 10:15:30+00", 0), ("2026-03-02 10:15:30.123456+00", 123), ("2026-03-02 12:15:30+0200", 0),
      ("2026-03-02T15:45:30.25+0530", 250), ("2026-03-02T04:45:30 -05:30", 0), ("2026-03-02T10:15:30 +0000", 0),
      ("2026-03-02 10:15:30 +0", 0), ("2026-03-02 12:15:30+2", 0),
      ("2026-03-02 10:15:30 UTC", 0), ("2026-03-02 10:15:30.123456 UTC", 123), ("2026-03-02 10:15:30UTC", 0),
      ("2026-03-02 10:15:30 GMT", 0), ("2026-03-02 10:15:30.5gmt", 500), ("2026-03-02T10:15:30 Z", 0),
      ("2026-03-02T12:15:30+02", 0),
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

  @Test("A leap second is the last millisecond before the next minute")
  func leapSeconds() throws {
    let end = try parse("2017-01-01T00:00:00Z") - 1
    for text in [
      "2016-12-31T23:59:60Z", "2016-12-31 23:59:60", "2016-12-31T23:59:60.5Z", "2017-01-01T00:59:60.999999+01:00",
      "2016-12-31 23:59:60 UTC",
    ] {
      #expect(try parse(text) == end, "\(text)")
    }
    #expect(throws: TimeText.Fault.notATime) { try parse("2016-12-31T23:59:61Z") }
  }

  @Test("Bare numbers may count finer units, whose fractions are cut off")
  func finerUnits() throws {
    #expect(try parse("1772446530123999", "GMT", .microseconds) == Self.moment + 123)
    #expect(try parse("1772446530123999.9", "GMT", .microseconds) == Self.moment + 123)
    #expect(try parse("1772446530123999999", "GMT", .nanoseconds) == Self.moment + 123)
    #expect(try parse("-1001", "GMT", .microseconds) == -1)
    #expect(try parse("999999", "GMT", .nanoseconds) == 0)
    #expect(try parse("253402300799999999999", "GMT", .nanoseconds) == TimeText.latest - 1)
    #expect(throws: TimeText.Fault.tooLarge(.microseconds)) { try parse("1772446530123456") }
    #expect(throws: TimeText.Fault.tooLarge(.nanoseconds)) { try parse("1772446530123456789", "GMT", .milliseconds) }
    #expect(throws: TimeText.Fault.tooLarge(nil)) { try parse("99999999999999999999999") }
  }

  @Test(
    "A day without a time is its first millisecond, or its last where the reader is told so",
    arguments: [
      ("GMT", "2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T23:59:59.999Z"),
      ("Europe/London", "2026-03-29", "2026-03-29T00:00:00Z", "2026-03-29T22:59:59.999Z"),
      ("Europe/London", "2026-10-25", "2026-10-24T23:00:00Z", "2026-10-25T23:59:59.999Z"),
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", "2018-11-05T01:59:59.999Z"),
      ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00Z", "2018-02-18T02:59:59.999Z"),
      ("Asia/Tokyo", "2026-03-01", "2026-02-28T15:00:00Z", "2026-03-01T14:59:59.999Z"),
    ])
  func days(zone: String, day: String, first: String, last: String) throws {
    let timezone = try #require(TimeZone(identifier: zone))
    let bytes = Array(day.utf8)
    for (reading, expected) in [(TimeText.Day.begins, first), (.ends, last)] {
      var plain = TimeText(timezone: timezone, unit: .seconds, day: reading)
      #expect(Instant(milliseconds: try plain.parse(bytes.span)).rfc3339 == expected)
      var formatted = TimeText(timezone: timezone, unit: .seconds, format: try TimeFormat("%Y-%m-%d"), day: reading)
      #expect(Instant(milliseconds: try formatted.parse(bytes.span)).rfc3339 == expected)
    }
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
      "2026-03-02T24:00:00Z", "2026-03-02T23:60:00Z", "2026-03-02T23:59:61Z", "2026-03-02T1:15:30Z",
      "2026-03-02T10:15:30.Z",
      "2026-03-02T10:15:30.", "2026-03-02T10:15:30.1234567890Z", "2026-03-02T10:15:30,5Z", "2026-03-02T10:15:30  Z",
      "2026-03-02X10:15:30Z",
      "2026-03-02T10-15-30Z", "2026-03-02T10:15:30ZZ", "2026-03-02T10:15:30+", "2026-03-02T10:15:30+020",
      "2026-03-02T10:15:30 UTC+1", "2026-03-02T10:15:30 CET", "2026-03-02T10:15:30 ",
      "2026-03-02T10:15:30+02:0", "2026-03-02T10:15:30+24:00", "2026-03-02T10:15:30+02:60",
      "2026-03-02T10:15:30+02:00:00",
      "2026-03-02T10:15:30±02:00", "२०२६-03-02", "2026-03-02\0", "2026-03-02T10:15:30\0",
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
        let position = dice.below(text.count)
        if dice.chance(0.5) {
          text[position] = UInt8.random(in: 0...255, using: &dice)
        } else {
          text.removeSubrange(position...)
        }
        if text.isEmpty { break }
      }
      let parsed = try? reader.parse(text.span)
      if let parsed { #expect((TimeText.earliest - 86_400_000..<TimeText.latest + 86_400_000).contains(parsed)) }
    }
  }
}
