import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Nights of a run")
struct NightChoiceTests {
  private func ends(_ choice: NightChoice, _ zone: String = "GMT") throws -> [String] {
    try choice.cutoffs(timezone: try #require(TimeZone(identifier: zone))).map(\.rfc3339)
  }

  @Test("A date ends at the next midnight of the job's zone")
  func date() throws {
    #expect(try ends(.date("2026-03-31")) == ["2026-04-01T00:00:00Z"])
    #expect(try ends(.date("2026-03-31"), "America/New_York") == ["2026-04-01T04:00:00Z"])
    #expect(try ends(.date("2026-03-29"), "Europe/London") == ["2026-03-29T23:00:00Z"])
    #expect(try ends(.date("2018-11-03"), "America/Sao_Paulo") == ["2018-11-04T03:00:00Z"])
  }

  @Test("A time is taken as it is, a day is its beginning")
  func asOf() throws {
    #expect(try ends(.asOf("2026-03-31T10:00:00+02:00")) == ["2026-03-31T08:00:00Z"])
    #expect(try ends(.asOf("2026-03-31 10:00:00"), "Asia/Tokyo") == ["2026-03-31T01:00:00Z"])
    #expect(try ends(.asOf("2026-03-31"), "Asia/Tokyo") == ["2026-03-30T15:00:00Z"])
  }

  @Test("A span is every night in it")
  func days() throws {
    let nights = try ends(.days(from: "2024-02-28", to: "2024-03-01"))
    #expect(nights == ["2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z", "2024-03-02T00:00:00Z"])
  }

  @Test("Without a choice it is the last whole day of the job's zone")
  func yesterday() throws {
    let now = Date(timeIntervalSince1970: 1_775_001_600 + 3 * 3600)  // 2026-04-01T03:00:00Z
    #expect(try ends(.yesterday(now: now)) == ["2026-04-01T00:00:00Z"])
    #expect(try ends(.yesterday(now: now), "America/New_York") == ["2026-03-31T04:00:00Z"])
    #expect(try ends(.yesterday(now: now), "Pacific/Auckland") == ["2026-03-31T11:00:00Z"])
  }

  @Test("What is no night is a usage error with what to type")
  func rubbish() {
    let choices: [NightChoice] = [
      .asOf("yesterday"), .asOf(""), .asOf("2026-02-29"), .date("2026-02-30"), .date("31.03.2026"),
      .date("2026-03-31T00:00:00Z"),
      .days(from: "2026-03-02", to: "2026-03-01"), .days(from: "x", to: "2026-03-01"),
      .days(from: "2026-03-01", to: ""),
    ]
    for choice in choices {
      let error = #expect(throws: OfferliftError.self) { try ends(choice) }
      #expect(error?.exit == .usage)
    }
  }

  @Test("A night behind the end of today is refused, by the day of the job's zone")
  func toCome() throws {
    let now = Date(timeIntervalSince1970: 1_775_001_600 + 3 * 3600)  // 2026-04-01T03:00:00Z
    func refusal(_ choice: NightChoice, _ zone: String = "GMT") throws -> String? {
      do {
        _ = try choice.cutoffs(timezone: try #require(TimeZone(identifier: zone)), upTo: now)
        return nil
      } catch {
        let found = try #require(error as? OfferliftError)
        #expect(found.exit == .usage)
        return found.message
      }
    }
    #expect(try refusal(.date("2026-04-01")) == nil)
    #expect(try refusal(.asOf("2026-04-02T00:00:00Z")) == nil)
    #expect(try refusal(.yesterday(now: now)) == nil)
    let tomorrow = try #require(try refusal(.date("2026-04-02")))
    #expect(tomorrow.hasPrefix("--date 2026-04-02 is still to come: in UTC it is 2026-04-01."), "\(tomorrow)")
    #expect(tomorrow.contains("--allow-future"))
    #expect(try refusal(.asOf("2026-04-02T00:00:01Z"))?.hasPrefix("--as-of 2026-04-02T00:00:01Z is") == true)
    #expect(try refusal(.days(from: "2026-03-01", to: "2026-04-02"))?.hasPrefix("--to 2026-04-02 is") == true)
    // There it is still the evening before.
    #expect(try refusal(.date("2026-04-01"), "America/New_York")?.contains("it is 2026-03-31") == true)
    #expect(try NightChoice.date("2099-01-01").cutoffs(timezone: .gmt, upTo: nil).count == 1)
  }
}
