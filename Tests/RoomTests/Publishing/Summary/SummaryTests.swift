import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("summary.md")
struct SummaryTests {
  @Test("A night reads from the call down, in ten lines")
  func whole() throws {
    let text = Summary.text(of: try NightStory(of: PublishedNight.night()))
    #expect(
      text == """
        # test-job, night of 2026-03-31

        - **Ship group_a.** In 7 days paying_conversion_7d came to 6.0 % instead of 4.0 % (+50 %, 26 to 79 %). Expect about +38 % to last, worth some 136 USD per 1,000 users. Chance that it is better: over 99 %.
        - No check failed, 1 to look at. Data up to 31 March 2026, 23:59 UTC.
        - The whole report: report.html

        """)
    #expect(text.split(separator: "\n").count <= 10)
  }

  @Test("Where a check failed it comes first, and no group is called")
  func failedFirst() throws {
    var night = try PublishedNight.night()
    night.checks.append(
      Check(offering: "spring", name: "sample_ratio", status: .fail, message: "Users are missing."))
    night.verdicts[0].decision = .doNotTrust
    night.verdicts[0].obstacle = "Users are missing."
    let text = Summary.text(of: try NightStory(of: night))
    #expect(text.contains("- **Do not act on this:** Users are missing.\n"))
    #expect(text.contains("1 of 13 checks failed, 1 to look at. sample_ratio: Users are missing."))
    #expect(!text.contains("Ship"))
  }

  @Test("Of many groups those to act on stand in the summary, and the rest is counted")
  func manyGroups() throws {
    var night = try PublishedNight.night()
    night.verdicts[0].calls = (1...9).map { number in
      var call = night.verdicts[0].calls[0]
      call.groups = [Identifier("g\(number)")]
      return call
    }
    let text = Summary.text(of: try NightStory(of: night))
    #expect(text.contains("5 more groups in the report."))
    #expect(text.split(separator: "\n").count <= 10)
  }

  @Test("A name from right to left is set apart, and what would turn a line round is written out")
  func rightToLeft() throws {
    let text = Summary.text(of: try NightStory(of: PublishedNight.night(group: "\u{05DE}\u{05D7}_1")))
    #expect(text.contains("**Ship \u{2068}\u{05DE}\u{05D7}_1\u{2069}.**"), "\(text)")
    let turning = Summary.text(of: try NightStory(of: PublishedNight.night(group: "a\u{202e}\u{1b}[2J")))
    #expect(turning.contains(#"**Ship "a\u{202e}\u{1b}\[2J".**"#), "\(turning)")
  }

  @Test("Names from the data cannot break the table or bring in HTML")
  func escaped() {
    #expect(Markdown.escape("a|b\n<script>*x*") == "a\\|b \\<script>\\*x\\*")
    #expect(Markdown.escape("p < 0.001") == "p < 0.001")
  }

  @Test(
    "Names are shown as they are: no heading, list, emphasis or link is made of them",
    arguments: [
      ("# x", "\\# x"), ("#1", "#1"), ("_x_", "\\_x\\_"), ("spring_2026", "spring_2026"), ("- x", "\\- x"),
      ("-3 %", "-3 %"),
      ("1. x", "1\\. x"), ("1.5 %", "1.5 %"), ("> x", "\\> x"), ("https://x.io", "https\\://x.io"), ("a: b", "a: b"),
      ("www.x.io", "www\\.x.io"), ("WWW.x.io", "WWW\\.x.io"), ("a@x.io", "a\\@x.io"), ("a+@x.io", "a+\\@x.io"),
      ("3 @ 2", "3 @ 2"), ("", ""), ("#", "\\#"),
      ("12", "12"),
    ])
  func literal(text: String, shown: String) {
    #expect(Markdown.escape(text) == shown)
  }
}
