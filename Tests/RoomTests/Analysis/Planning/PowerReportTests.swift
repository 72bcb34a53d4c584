import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement

/// What `power` says of figures.
@Suite("power, from figures")
struct PowerReportTests {
  private func text(_ change: (inout PowerArguments) -> Void) throws -> String {
    var arguments = PowerArguments()
    change(&arguments)
    return try PowerReport(arguments).text
  }

  private func refusal(_ change: (inout PowerArguments) -> Void) throws -> String {
    let error = try #require(throws: OfferliftError.self) { try text(change) }
    #expect(error.exit == .usage)
    return error.message
  }

  @Test("users and nights come first, then the table")
  func words() throws {
    let text = try text {
      ($0.baseline, $0.lift, $0.usersPerDay, $0.users) = (0.03, 0.1, 4000, 20_000)
    }
    #expect(
      text == """
        It takes 251,588 users (125,794 in the baseline) and 58 more nights to find a lift of +10 % on 3 % with 80 % \
        power, read every night.
        The last look alone has 80 % power; with every night's, 63 looks, it is 86.1 %.
        If it is read once instead: 106,418 users, 22 nights.
        If it is read every night up to a planned end instead: 123,808 users, 26 nights.
        With the 20,000 users there are now a lift of 34.4 % or more, up or down, would be found.

        decided                               users in baseline  users in all  nights  power at the last look  at any look  detectable now
        read every night                                125,794       251,588      58                    80 %       86.1 %          34.4 %
        read once                                        53,209       106,418      22                    80 %            -          23.8 %
        read every night up to a planned end             61,904       123,808      26                    80 %       82.9 %          25.8 %

        """)
  }

  @Test("a mean is planned from its deviation, and what is not known is left out")
  func mean() throws {
    let text = try text {
      ($0.mean, $0.deviation, $0.lift, $0.decideBy) = (4.2, 25, -0.1, "fixed")
    }
    #expect(text.hasPrefix("It takes 111,240 users (55,620 in the baseline) to find a lift of -10 % on 4.2 with"))
    #expect(
      text.contains(
        "            55,620       111,240       -                    80 %            -               -\n"
      ))
    #expect(!text.contains("night to find"))
  }

  @Test("more than a year of looks is not reckoned, and that is said")
  func mostLooks() throws {
    let text = try text { ($0.baseline, $0.lift, $0.usersPerDay) = (0.03, 0.1, 100) }
    #expect(text.contains("with every night's, 365 looks, no more are reckoned, it is"))
  }

  @Test("enough users is an answer")
  func enough() throws {
    let text = try text { ($0.baseline, $0.lift, $0.users) = (0.03, 0.5, 50_000) }
    #expect(text.hasPrefix("There are enough users to find a lift of +50 % on 3 % with 80 % power, read every night:"))
  }

  @Test("shared α is said, and --adjust none shares none")
  func sharing() throws {
    let shared = try text { ($0.baseline, $0.lift, $0.groups) = (0.03, 0.1, 3) }
    #expect(shared.contains("2 comparisons share α = 0.05: each is planned at 0.025"))
    let alone = try text { ($0.baseline, $0.lift, $0.groups, $0.adjust) = (0.03, 0.1, 3, "none") }
    #expect(alone.contains("159,627 users") && !alone.contains("share α"))
  }

  @Test("a window adds its days")
  func window() throws {
    let text = try text {
      ($0.baseline, $0.lift, $0.usersPerDay, $0.window, $0.decideBy) = (0.03, 0.1, 4000, "30d", "fixed")
    }
    #expect(text.contains("106,418 users (53,209 in the baseline) and 57 nights"))
  }

  @Test("figures that cannot be are refused with what to type instead")
  func impossible() throws {
    #expect(try refusal { _ in }.contains("Give a job file, or a share as --baseline 0.03"))
    #expect(try refusal { ($0.baseline, $0.lift) = (1.2, 0.1) }.contains("type 0.03 for 3 %"))
    #expect(try refusal { ($0.baseline, $0.lift) = (.nan, 0.1) }.contains("is not a share"))
    #expect(try refusal { ($0.baseline, $0.lift) = (0.8, 0.5) }.contains("more than 100 %; type at most --lift 0.247"))
    #expect(try refusal { ($0.baseline, $0.lift) = (0.3, 0) }.contains("type 0.1 for 10 % more"))
    #expect(try refusal { ($0.baseline, $0.lift) = (0.3, -1.5) }.contains("--lift -1.5"))
    #expect(try refusal { $0.baseline = 0.3 }.contains("Say what to plan for"))
    #expect(try refusal { ($0.baseline, $0.deviation, $0.lift) = (0.3, 1, 0.1) }.contains("--mean and --sd"))
    #expect(try refusal { ($0.mean, $0.deviation, $0.lift) = (0, 1, 0.1) }.contains("has no lift"))
    #expect(try refusal { ($0.mean, $0.deviation, $0.lift) = (1, 0, 0.1) }.contains("one above 0"))
    #expect(try refusal { ($0.mean, $0.deviation, $0.lift) = (1, .infinity, 0.1) }.contains("one above 0"))
  }

  @Test("rules and crowds that cannot be are refused too")
  func impossibleRules() throws {
    func refused(_ change: (inout PowerArguments) -> Void) throws -> String {
      try refusal {
        ($0.baseline, $0.lift) = (0.03, 0.1)
        change(&$0)
      }
    }
    #expect(try refused { $0.alpha = 0 }.contains("--alpha 0.0 cannot be"))
    #expect(try refused { $0.power = 1 }.contains("--power 1.0 cannot be"))
    #expect(try refused { $0.power = 0.04 }.contains("not above --alpha"))
    #expect(try refused { $0.groups = 1 }.contains("type 2 or more"))
    #expect(try refused { $0.ratio = 0 }.contains("--ratio 0.0 cannot be"))
    #expect(try refused { $0.users = 3 }.contains("fewer than 2 users"))
    #expect(try refused { $0.users = .max }.contains("more than anybody has"))
    #expect(try refused { $0.usersPerDay = -1 }.contains("--per-day"))
    #expect(try refused { $0.window = "soon" }.contains("type 7d, 24h or 2w"))
    #expect(try refused { $0.decideBy = "never" }.contains("none of sequential, fixed"))
    #expect(try refused { $0.adjust = "all" }.contains("none of holm"))
  }

  @Test("a lift too small for any crowd is said to be")
  func hopeless() throws {
    let text = try text { ($0.baseline, $0.lift) = (0.03, 1e-9) }
    #expect(text.hasPrefix("No number of users that is worth waiting for finds"))
  }
}
