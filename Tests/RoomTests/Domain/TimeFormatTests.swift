import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Times written as the job says")
struct TimeFormatTests {
  /// Milliseconds since 1970; nil where the text is not written so.
  private func parse(_ text: String, _ format: String, zone: String = "UTC") throws -> Int64? {
    var input = TableInput(name: "log", path: "", line: 1)
    input.timeFormat = try TimeFormat(format)
    input.timezone = try #require(TimeZone(identifier: zone))
    var reader = TimeText(input)
    do {
      let bytes = Array(text.utf8)
      return try reader.parse(bytes.span)
    } catch TimeText.Fault.notInFormat {
      return nil
    }
  }

  private static let instant = Int64(1_772_446_530_000)

  @Test(
    "Every letter tells what strptime says it tells",
    arguments: [
      ("%d.%m.%Y %H:%M:%S", "02.03.2026 10:15:30"), ("%d.%m.%Y %H:%M:%S", "2.3.2026 10:15:30"),
      ("%m/%d/%Y %I:%M:%S %p", "03/02/2026 10:15:30 AM"), ("%D %T", "3/2/26 10:15:30"),
      ("%F %T", "2026-03-02 10:15:30"),
      ("%Y%m%d%H%M%S", "20260302101530"), ("%d %b %Y %R:%S", "02 Mar 2026 10:15:30"),
      ("%A, %e %B %Y %H.%M.%S", "Monday, 2 March 2026 10.15.30"), ("%a %b %d %T %Y", "mon MAR 02 10:15:30 2026"),
      ("%Y-%j %H:%M:%S", "2026-061 10:15:30"), ("%d/%h/%Y:%H:%M:%S %z", "02/Mar/2026:12:15:30 +0200"),
      ("%FT%T%z", "2026-03-02T10:15:30Z"), ("%FT%T%z", "2026-03-02T04:45:30-05:30"),
      ("%F %T %Z", "2026-03-02 10:15:30 UTC"),
      ("%s", "1772446530"), ("%y%%%m%n%d %T", "26%03 02 10:15:30"), ("%Y年%m月%d日 %T", "2026年03月02日 10:15:30"),
      ("%F %T.%f", "2026-03-02 10:15:30.0009"), ("%s.%f", "1772446530.000999"), ("%F %T.%f", "2026-03-02 10:15:30"),
      ("%F %T", "2026-03-02 10:15:30.0009"), ("%F %T,%f", "2026-03-02 10:15:30,0001"), ("%s.%f", "1772446530"),
      ("%s", "1772446530.0001"), ("%F %T %z", "2026-03-02 10:15:30+00"), ("%F %T %z", "2026-03-02 15:45:30.0001+05:30"),
      ("%F %T.%f %Z", "2026-03-02 10:15:30 UTC"), ("%F %T.%f %Z", "2026-03-02 10:15:30.000456 UTC"),
      ("%F %T %z", "2026-03-02 10:15:30 UTC"), ("%d.%m.%Y %H.%M.%S", "02.03.2026 10.15.30"),
    ])
  func letters(format: String, text: String) throws {
    #expect(try parse(text, format) == Self.instant)
  }

  @Test("Fractions are cut off at the millisecond, halves of the day and years of the century wrap")
  func corners() throws {
    #expect(try parse("2026-03-02 10:15:30.123999999", "%F %T.%f") == Self.instant + 123)
    #expect(try parse("2026-03-02 10:15:30.5", "%F %T.%f") == Self.instant + 500)
    #expect(try parse("-1.5", "%s.%f") == -1500)
    #expect(try parse("2026-03-02 23:59:60", "%F %T") == parse("2026-03-03 00:00:00", "%F %T").map { $0 - 1 })
    let midnight = try #require(try parse("2026-03-02", "%F"))
    #expect(midnight % 86_400_000 == 0)
    #expect(try parse("2026-03-02 12AM", "%F %I%p") == midnight)
    #expect(try parse("2026-03-02 12pm", "%F %I%p") == midnight + 43_200_000)
    #expect(try parse("01/01/68", "%D") == parse("2068-01-01", "%F"))
    #expect(try parse("01/01/69", "%D") == parse("1969-01-01", "%F"))
  }

  @Test(
    "What is not written so is no time",
    arguments: [
      ("%d.%m.%Y", "31.02.2026"), ("%d.%m.%Y", "29.02.2026"), ("%d.%m.%Y", "00.03.2026"), ("%d.%m.%Y", "02.13.2026"),
      ("%d.%m.%Y", "02.03.26"), ("%d.%m.%Y", "02.03.2026 "), ("%d.%m.%Y", "2026-03-02"), ("%d.%m.%Y", ""),
      ("%d.%m.%Y", "002.03.2026"), ("%Y%m%d%H", "2026032"), ("%Y%m%d%H", "202603210"), ("%F %T", "2026-03-02 24:00:00"),
      ("%F %T", "2026-03-02 10:60:00"), ("%F %T", "2026-03-02 10:15:61"), ("%F %I %p", "2026-03-02 13 PM"),
      ("%F %I %p", "2026-03-02 0 AM"), ("%Y-%j", "2026-366"), ("%Y-%j", "2026-000"),
      ("%F %T %Z", "2026-03-02 10:15:30 CET"),
      ("%F%z", "2026-03-02+"), ("%F%z", "2026-03-02+02:"), ("%F%z", "2026-03-02+24:00"), ("%s", "1e9"),
      ("%F %T", "2026-03-02 10:15:30.1234567890"),
      ("%s", "9999999999999"), ("%d %b %Y", "02 Mär 2026"), ("%F %T.%f", "2026-03-02 10:15:30."), ("%F", "२०२६-03-02"),
    ])
  func refused(format: String, text: String) throws {
    #expect(try parse(text, format) == nil)
  }

  @Test("A text without an offset is in the input's zone, and one that a clock change repeats is ambiguous")
  func zones() throws {
    #expect(try parse("02.03.2026 11:15:30", "%d.%m.%Y %T", zone: "Europe/Berlin") == Self.instant)
    #expect(try parse("02.03.2026 10:15:30 +0000", "%d.%m.%Y %T %z", zone: "Europe/Berlin") == Self.instant)
    for text in ["29.03.2026 02:30", "25.10.2026 02:30"] {
      #expect(throws: TimeText.Fault.ambiguous) { try parse(text, "%d.%m.%Y %H:%M", zone: "Europe/Berlin") }
    }
  }

  @Test("Any bytes are read or refused, never a crash")
  func rubbish() throws {
    var dice = Dice(seed: 8)
    let formats = try ["%d.%m.%Y %H:%M:%S", "%Y%m%d%H%M%S", "%a %d %B %y %I:%M %p %z", "%s.%f"].map {
      try TimeFormat($0)
    }
    let alphabet = Array("0123456789:.+-/ apmAPMonZz%\0é".utf8) + [0xff]
    for _ in 0..<5000 {
      let text = dice.bytes(dice.below(24), from: alphabet)
      let reading = dice.pick(formats).read(text.span)
      if let reading { #expect((TimeText.earliest..<TimeText.latest).contains(reading.local)) }
    }
  }

  @Test(
    "A format that tells no time is refused at the job file, with what it lacks",
    arguments: [
      ("%Q", "has %Q, which is none of %A %B %D %F"), ("%c", "has %c"), ("%d.%m.%Y %", "ends with a %"),
      ("%d.%m", "must tell the year"), ("%Y-%m", "must tell the year"), ("%H:%M", "must tell the year"),
      ("", "must tell"),
      ("%Y-%m-%d %j", "must tell the year"), ("%Y %y-%m-%d", "must tell the year"),
      ("%F %d", "tells by %d what it tells"),
      ("%F %I:%M", "must tell the hour"), ("%F %H:%M %p", "must tell the hour"), ("%F %M", "a part of the clock"),
      ("%F %H %S", "a part of the clock"), ("%F %H:%M.%f", "a part of the clock"), ("%F %s", "has %s"),
      ("%F %z %Z", "by both %z and %Z"), ("%d %m %b %Y", "must tell the year"),
    ])
  func problems(format: String, words: String) throws {
    let problem = #expect(throws: TimeFormat.Problem.self) { try TimeFormat(format) }
    #expect(problem?.words.contains(words) == true, "\(problem?.words ?? "taken")")
  }
}

@Suite("Numbers that count another unit")
struct TimeUnitTests {
  private func fault(_ text: String, _ unit: TimeUnit) throws -> String? {
    var reader = TimeText(timezone: .gmt, unit: unit)
    do throws(EventDecoder.Fault) {
      _ = try Array(text.utf8).withText { text throws(EventDecoder.Fault) in try reader.read(text) }
      return nil
    } catch {
      return "\(error.reason.rawValue): \(error.detail)"
    }
  }

  @Test("A number beyond the year 9999 is refused with the unit it may count")
  func units() throws {
    let cases: [(String, TimeUnit, String?)] = [
      ("1772446530", .seconds, nil), ("1772446530000", .milliseconds, nil), ("0", .seconds, nil),
      ("86400", .seconds, nil),
      ("1772446530000", .seconds, "if it counts milliseconds, say time_unit: milliseconds"),
      ("1772446530000.5", .seconds, "if it counts milliseconds, say time_unit: milliseconds"),
      ("1772446530000000", .seconds, "if it counts microseconds, say time_unit: microseconds"),
      ("1772446530000000000", .milliseconds, "if it counts nanoseconds, say time_unit: nanoseconds"),
      ("1772446530000000", .microseconds, nil), ("1772446530000000000", .nanoseconds, nil),
      ("99999999999999999999", .seconds, "beyond the year 9999"), ("-9999999999999999999", .seconds, "beyond the year"),
    ]
    for (text, unit, words) in cases {
      let fault = try fault(text, unit)
      #expect(words == nil ? fault == nil : fault?.contains(words ?? "") == true, "\(text): \(fault ?? "read")")
    }
  }

  @Test(
    "What a spreadsheet program made of a time is refused by that name",
    arguments: ["1.77245E+12", "1,77245E+12"])
  func spoilt(text: String) throws {
    #expect(try fault(text, .seconds)?.hasPrefix("bad_time: \"\(text)\" is what a spreadsheet program made") == true)
  }

  @Test(
    "Days as a spreadsheet counts them are refused by the time they tell",
    arguments: [
      ("46083,4274305556", "2026-03-02T10:15:30"), ("46083.4274305556", "2026-03-02T10:15:30"),
      ("46083", "2026-03-02T00:00:00"), ("45992.5", "2025-12-01T12:00:00"),
    ])
  func serialDates(text: String, time: String) throws {
    for unit in [TimeUnit.seconds, .milliseconds] {
      #expect(
        try fault(text, unit)?.hasPrefix("bad_time: \"\(text)\" looks like a spreadsheet's count of days (\(time))")
          == true)
    }
  }

  @Test("A job may say that a column counts days as a spreadsheet does")
  func excel() throws {
    let format = try TimeFormat("excel")
    func read(_ text: String) -> Int64? {
      let bytes = Array(text.utf8)
      return format.read(bytes.span)?.local
    }
    let noon: Int64 = 1_764_590_400_000
    #expect(read("45992.5") == noon && read("45992,5") == noon)
    #expect(read("45992") == noon - 43_200_000)
    #expect(read("46083.4274305556") == 1_772_446_530_000)
    #expect(read("61") == -2_203_891_200_000)
    for text in ["60", "", "45992.", ".5", "45992.5x", "-45992", "9999999", "4.5E+04"] {
      #expect(read(text) == nil, "\(text)")
    }
  }

  @Test(
    "A pattern of another program is answered with the letters to type",
    arguments: [
      ("dd.MM.yyyy HH:mm", "%d.%m.%Y %H:%M"), ("yyyy/MM/dd HH:mm:ss.SSS", "%Y/%m/%d %H:%M:%S.%f"),
      ("MM/dd/yy hh:mm a", "%m/%d/%y %I:%M %p"), ("dd MMM yyyy", "%d %b %Y"),
    ])
  func patterns(pattern: String, letters: String) throws {
    let problem = #expect(throws: TimeFormat.Problem.self) { try TimeFormat(pattern) }
    #expect(problem?.words == "has no %" && problem?.letters == letters)
  }
}
