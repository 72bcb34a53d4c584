import Foundation
import Testing

@Suite("offerlift power")
struct PowerCommandTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  @Test("From figures the answer is words, then a table; nothing goes to stderr")
  func figures() throws {
    let outcome = try binary.run("power", "--baseline", "0.03", "--lift", "0.1", "--per-day", "4000")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.hasPrefix("It takes 251,588 users (125,794 in the baseline) and 63 nights to find"))
    #expect(
      outcome.output.contains(
        "            53,209       106,418      27                    80 %            -               -\n"
      ))
  }

  @Test("A lift that goes down may be typed with its minus")
  func down() throws {
    let outcome = try binary.run("power", "--mean", "-4", "--sd", "20", "--lift", "-0.1")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("a lift of -10 % on -4"))
  }

  @Test("From a job it plans the primary metric, and writes nothing")
  func job() throws {
    try binary.writeJob()
    let before = try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") }
    let outcome = try binary.run("power", "jobs/test.yml", "--date", "2026-03-20", "--lift", "0.5")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("paying_conversion_7d: It takes "))
    #expect(outcome.output.contains("to find a lift of +50 % on 30 % with 80 % power, read every night."))
    #expect(
      outcome.output.contains(
        "Measured: test by the night of 2026-03-20, 40 users in 2 groups; nobody joins any more."))
    #expect(!outcome.output.contains("revenue_net_7d"))
    #expect(try binary.snapshot(".").filter { !$0.key.hasPrefix(".std") } == before)
  }

  @Test("Of several offerings each is planned by its name")
  func offerings() throws {
    try binary.writeJob()
    let users = try binary.text("data/users.csv")
    let others = (1...40).map { "v\($0),second,\($0 % 2 == 0 ? "control" : "treatment"),2026-03-01T00:00:00Z\n" }
    try binary.write("data/users.csv", users + others.joined())
    let outcome = try binary.run("power", "jobs/test.yml", "--date", "2026-03-20", "--lift", "0.5")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("second, paying_conversion_7d: nothing to plan from yet"))
    #expect(outcome.output.contains("\ntest, paying_conversion_7d: It takes "))
  }

  @Test("Before a window has ended there is nothing to plan from, which is said")
  func early() throws {
    try binary.writeJob()
    let outcome = try binary.run("power", "jobs/test.yml", "--date", "2026-03-03")
    #expect(outcome.exit == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("paying_conversion_7d: nothing to plan from yet"))
  }

  @Test("Enrolment that has ended brings no more users")
  func enrolment() throws {
    try binary.writeJob { $0 + "enrolment: {to: 2026-03-05}\n" }
    let outcome = try binary.run("power", "jobs/test.yml", "--date", "2026-03-20", "--lift", "0.1")
    #expect(outcome.output.contains("enrolment ends before so many have come"), "\(outcome.output)")
  }

  @Test(
    "What cannot be ends with 64 and a sentence",
    arguments: [
      (["--baseline", "1.2", "--lift", "0.1"], "--baseline 1.2 is not a share; type 0.03 for 3 %"),
      (["--baseline", "0.8", "--lift", "0.5"], "A lift of +50 % on 80 % would be more than 100 %"),
      (["--baseline", "0.03"], "Say what to plan for"), ([], "Give a job file, or a share as --baseline 0.03"),
      (["--baseline", "0.03", "--lift", "0.1", "--date", "2026-03-20"], "--as-of and --date go with a job file."),
      (["jobs/test.yml", "--baseline", "0.03"], "A job measures its baseline"),
      (["jobs/test.yml", "--lift", "0"], "--lift 0.0 is not a change to look for"),
      (["jobs/test.yml", "--date", "yesterday"], "--date \"yesterday\" is not a date"),
    ])
  func impossible(arguments: [String], sentence: String) throws {
    try binary.writeJob()
    let outcome = try binary.run(["power"] + arguments)
    #expect(outcome.exit == 64)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("A job that is not there ends with 66")
  func missing() throws {
    #expect(try binary.run("power", "jobs/none.yml").exit == 66)
  }

  @Test("--help has an example of both ways")
  func help() throws {
    let outcome = try binary.run("power", "--help")
    #expect(outcome.exit == 0)
    #expect(outcome.output.contains("offerlift power jobs/offering-price-test.yml --date 2026-04-30 --lift 0.05"))
    #expect(outcome.output.contains("offerlift power --baseline 0.03 --lift 0.1 --per-day 4000"))
  }
}
