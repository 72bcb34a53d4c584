import Testing

@testable import Analysis
@testable import Domain
@testable import Publishing

@Suite("summary.md")
struct SummaryTests {
  @Test("A night reads from the verdict down")
  func whole() throws {
    let text = Summary.text(of: NightStory(of: try PublishedNight.night()))
    #expect(
      text == """
        # test-job, night of 2026-03-31

        Everything before 2026-04-01T00:00:00Z, money in USD. Decisions and the intervals of lifts (95 %, adjusted for \
        the number of comparisons) hold for a single look, at the end planned beforehand.

        ## spring: better

        Against control: group_a is better: paying_conversion_7d 50 % higher (interval +26.2 % to +79.4 %, \
        adjusted p < 0.0001), better.

        | group | metric | baseline | value | lift | interval | decision |
        |---|---|--:|--:|--:|--:|---|
        | group_a | **paying_conversion_7d** | 4 % | 6 % | +50 % | +26.2 % to +79.4 % | better |
        | group_a | revenue_net_30d | 0.36 USD | 0.54 USD | +50 % | +26.2 % to +79.4 % | higher |

        ## Checks

        - **warn** rejects: purchases: 1 of 100 rows (1 %) could not be read; rejects.csv.gz lists each with its \
        reason.
        - pass: accounting, duplicate, family_shared, freshness, maturity, multiple_groups, orphan_refund, \
        sample_ratio, sample_ratio_sequential, sandbox, small_counts, unassigned

        ## Rows

        | input | read | used | set aside |
        |---|--:|--:|---|
        | purchases | 100 | 98 | 1 duplicate, 1 malformed |

        """)
  }

  @Test("Failed checks come before those that warn")
  func failedFirst() throws {
    var night = try PublishedNight.night()
    night.checks.append(
      Check(offering: "spring", name: "sample_ratio", status: .fail, message: "Users are missing."))
    let text = Summary.text(of: NightStory(of: night))
    let fail = try #require(text.firstRange(of: "- **fail** sample_ratio (spring): Users are missing."))
    let warn = try #require(text.firstRange(of: "- **warn**"))
    #expect(fail.lowerBound < warn.lowerBound)
  }

  @Test("Names from the data cannot break the table or bring in HTML")
  func escaped() {
    #expect(Markdown.escape("a|b\n<script>*x*") == "a\\|b \\<script>\\*x\\*")
    #expect(Markdown.escape("p < 0.001") == "p < 0.001")
  }
}
