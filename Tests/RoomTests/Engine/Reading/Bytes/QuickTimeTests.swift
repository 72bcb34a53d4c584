import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Times read eight bytes at a time")
struct QuickTimeTests {
  private static let shapes = [
    "2026-03-02T10:15:30Z", "2026-03-02 10:15:30", "2026-03-02t10:15:30.250z", "2026-03-02 10:15:30.250",
    "2000-02-29T23:59:59.999Z", "0001-01-01T00:00:00Z", "9999-12-31 23:59:59",
  ]

  private func quick(_ text: [UInt8]) -> QuickTime? { text.withText { QuickTime($0) } }

  private func general(_ text: [UInt8]) -> Int64? {
    var time = TimeText(timezone: .gmt, unit: .milliseconds)
    return try? time.parse(text.span)
  }

  @Test("The usual spellings are read", arguments: shapes)
  func usual(text: String) throws {
    let bytes = Array(text.utf8)
    let found = try #require(quick(bytes))
    #expect(found.local == general(bytes))
    #expect(found.isUTC == "Zz".contains(text.suffix(1)))
  }

  @Test(
    "Other spellings are left to others",
    arguments: [
      "2026-03-02", "2026-03-02T10:15:30+02:00", "2026-03-02T10:15:30.2Z", "2026-03-02T10:15:30.250000Z",
      "1772446530000", "2026-03-02T10:15:30.25", "",
    ])
  func unusual(text: String) { #expect(quick(Array(text.utf8)) == nil) }

  @Test("What is read of texts with a byte or two changed is what the general reader reads")
  func changed() {
    var dice = Dice(seed: 11)
    for _ in 0..<200_000 {
      var bytes = Array(Self.shapes[dice.below(Self.shapes.count)].utf8)
      for _ in 0..<dice.below(3) {
        let byte = dice.chance(0.7) ? UInt8(48 + dice.below(10)) : UInt8(dice.below(256))
        bytes[dice.below(bytes.count)] = byte
      }
      guard let found = quick(bytes) else { continue }
      #expect(found.local == general(bytes), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("Every day of four hundred years and more is read")
  func days() {
    for day in stride(from: Int64(-60_000), to: 100_000, by: 1) {
      let text = Array("\(CivilDate(day: day))T00:00:00Z".utf8)
      #expect(quick(text)?.local == day * Instant.millisecondsPerDay)
    }
  }

  @Test("A local time is that of its zone")
  func local() throws {
    var time = TimeText(timezone: try #require(TimeZone(identifier: "Europe/Berlin")), unit: .milliseconds)
    let summer = Array("2026-07-02 10:15:30".utf8)
    let found = try summer.withText { text throws(TimeText.Fault) in try time.parse(text) }
    #expect(try found == time.parse(summer.span))
    let skipped = Array("2026-03-29 02:30:00".utf8)
    #expect(throws: TimeText.Fault.ambiguous) {
      try skipped.withText { text throws(TimeText.Fault) in try time.parse(text) }
    }
  }
}
