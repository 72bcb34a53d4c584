import Testing

@testable import Domain

@Suite("Lengths of time")
struct DurationTests {
  @Test(
    "A count and a unit make a length",
    arguments: [
      ("1m", 60_000), ("24h", 86_400_000), ("7d", 604_800_000), ("2w", 1_209_600_000), ("365250d", 31_557_600_000_000),
    ])
  func lengths(text: String, milliseconds: Int64) {
    #expect(JobDuration.milliseconds(text) == milliseconds)
  }

  @Test(
    "Anything else is none",
    arguments: [
      "", "d", "7", "0d", "-7d", "+7d", "7 d", "7D", "7s", "1.5d", "7dd", "365251d", "9223372036854775807w",
      "99999999999999999999d", "٧d",
    ])
  func rubbish(text: String) {
    #expect(JobDuration.milliseconds(text) == nil)
  }
}
