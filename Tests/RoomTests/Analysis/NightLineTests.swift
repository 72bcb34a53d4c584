import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

/// What is said of a night of many offerings.
struct NightLineTests {
  /// A night of so many offerings, all of which keep but the last, which ships, and the one before, of which a check failed.
  private func night(_ offerings: Int) throws -> NightResult {
    var night = try PublishedNight.night()
    var plain = night.verdicts[0]
    (plain.groups[0].call, plain.groups[0].headline) = (.keep, "Keep control for now.")
    (plain.calls[0].call, plain.calls[0].headline) = (.keep, "Keep control for now.")
    let shipped = night.verdicts[0]
    night.verdicts = (1...offerings).map { number in
      var verdict = number == offerings ? shipped : plain
      verdict.offering = Identifier("o\(number)")
      if number == offerings - 1 { (verdict.decision, verdict.obstacle) = (.doNotTrust, "Users are missing.") }
      return verdict
    }
    return night
  }

  @Test("Of many offerings what failed and what is to be done comes first, and the rest is counted")
  func many() throws {
    let line = NightLine.text(of: try night(1000).verdicts)
    #expect(line.hasPrefix("o999: Do not act on this. o1000: Ship group_a. o1: Keep control for now. o2: "))
    #expect(line.hasSuffix(" 988 more offerings in the report.") && line.count < 600)
    let summary = Summary.text(of: try NightStory(of: try night(1000)))
    #expect(summary.split(separator: "\n").count <= 20)
    #expect(
      summary.contains("- o999: **Do not act on this:** Users are missing.\n- o1000: **Ship group_a.**\n- o1: "))
    #expect(summary.contains("- 988 more offerings in the report: 988 keep."))
  }

  @Test("Of few each is told in full")
  func few() throws {
    #expect(NightLine.text(of: []) == "no offering has users yet.")
    let line = NightLine.text(of: try night(2).verdicts)
    #expect(
      line.contains("Expect about ") && line.hasPrefix("o1: Do not act on this: Users are missing. o2: Ship")
    )
  }
}
