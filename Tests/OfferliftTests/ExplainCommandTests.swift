import Foundation
import Testing

@Suite("offerlift explain")
struct ExplainCommandTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  @Test("A user's story goes to stdout, and nothing is written")
  func story() throws {
    try binary.writeJob()
    let before = try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") }
    let outcome = try binary.run("explain", "jobs/test.yml", "--user", "u6", "--date", "2026-03-31")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        u6 in test, counted to 2026-04-01T00:00:00Z

        Who
          test: group control, assigned 2026-03-01T00:00:00Z, by ../data/users.csv, line 7.
            Measured, from the assignment on.
          State at the cut-off: subscribed.

        2 lines that name the user, by time
          2026-03-01T00:00:00Z  assignments: ../data/users.csv, line 7
            Assigns u6 to control of test at 2026-03-01T00:00:00Z.
            Counts: this line says in which group the user is.
          2026-03-02T10:00:00Z  purchases: ../data/log.jsonl, line 2
            purchase, p, 9.99 USD.
            Counted as charge 1: 9.99 USD; proceeds 6.993 USD.
              It moves paying_conversion_7d by +1.
              It moves revenue_net_7d by +9.99 USD.

        Values in test, control
          paying_conversion_7d  1 (yes)
          revenue_net_7d        9.99 USD

        Next: to see what everybody's lines come to, type: offerlift run jobs/test.yml --date 2026-03-31

        """)
    #expect(try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") } == before)
  }

  @Test("Nobody's id ends with 66 and a sentence")
  func nobody() throws {
    try binary.writeJob()
    let outcome = try binary.run("explain", "jobs/test.yml", "--user", "U6")
    #expect(outcome.exit == 66)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("names the user \"U6\". The assignments have \"u6\"."))
  }

  @Test(
    "What is asked wrongly ends with 64",
    arguments: [["--user", ""], [], ["--user", "u1", "--date", "soon"], ["--user", "u1", "--format", "xml"]])
  func usage(options: [String]) throws {
    try binary.writeJob()
    let outcome = try binary.run(["explain", "jobs/test.yml"] + options)
    #expect(outcome.exit == 64, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}
