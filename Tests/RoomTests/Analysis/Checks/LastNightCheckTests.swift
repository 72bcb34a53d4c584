import Testing

@testable import Analysis
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What may be missing against the night before, and what may not.
struct LastNightCheckTests {
  private func before(_ files: [String], input: String = "purchases", rows: Int = 100) -> [EarlierNight.File] {
    files.enumerated().map {
      EarlierNight.File(input: input, file: $1, bytes: 10, crc32: UInt32($0), rows: rows, used: rows)
    }
  }

  private func now(_ files: [String], input: String = "purchases", rows: Int = 100) -> [FileAccount] {
    files.enumerated().map {
      FileAccount(input: input, file: $1, bytes: 20, crc32: UInt32($0), rows: rows, outcomes: RowOutcomes(used: rows))
    }
  }

  @Test(
    "A file that is gone is told, one that made way for a new one is not",
    arguments: [
      (["a-0", "a-1", "a-2", "a-3"], ["a-0", "a-1", "a-3"], ["a-2"]),
      (["a-0", "a-1"], ["a-1"], ["a-0"]), (["a"], [], ["a"]), (["a", "b"], ["a", "b", "c"], []), ([], ["a"], []),
      // The window slides: the oldest go, new ones come.
      (["d1", "d2", "d3"], ["d2", "d3", "d4"], []), (["d1", "d2", "d3"], ["d3", "d4"], []),
      // One of the middle is gone though a new one has come, and one of the oldest though none has.
      (["d1", "d2", "d3"], ["d1", "d3", "d4"], ["d2"]), (["d1", "d2", "d3"], ["d2", "d3"], ["d1"]),
      // A new one in front is no next day's.
      (["d1", "d2", "d3"], ["d0", "d2", "d3"], ["d1"]),
      // Every file has another name.
      (["x-17", "x-18"], ["y-31", "y-32"], []),
    ] as [([String], [String], [String])])
  func fileGoneReported(
    old: [String], new: [String], gone: [String]
  ) {
    #expect(LastNightCheck.gone(before: before(old), now: now(new)) == gone)
    #expect(LastNightCheck.gone(before: before(old).reversed(), now: now(new).reversed()) == gone)
  }

  @Test("A file with the same content under another name is not gone")
  func fileSameContent() {
    var renamed = now(["a-0", "z"])
    (renamed[1].bytes, renamed[1].crc32) = (10, 1)
    #expect(LastNightCheck.gone(before: before(["a-0", "a-1"]), now: renamed).isEmpty)
  }

  private func checks(
    rows: Int = 100, users: Int = 1000, level: Double = 0.1, _ change: (inout Job) -> Void = { _ in }
  ) -> [Check] {
    let last = EarlierNight(
      night: "2026-03-30", files: before(["a", "b"]) + before(["u"], input: "assignments"), users: ["spring": 1000])
    let offering = HandMade.offering(HandMade.group("control", users: users, HandMade.proportion(1, of: 2)))
    var measurement = HandMade.measurement(offering)
    measurement.accounts = now(["a", "b"], rows: rows) + now(["u"], input: "assignments")
    let job = HandMade.job { job in
      job.warnLevels["last_night"] = level
      change(&job)
    }
    return LastNightCheck().checks(
      of: CheckedNight(measurement: measurement, job: job, asOf: HandMade.asOf, last: last))
  }

  @Test(
    "An input that fell by more than a tenth fails and says from what to what",
    arguments: [(100, false), (150, false), (90, false), (89, true), (0, true)])
  func inputFellMore(rows: Int, fails: Bool) {
    let found = checks(rows: rows)
    #expect(found.map(\.status) == (fails ? [.fail] : []))
    if rows == 89 {
      #expect(found[0].subject == "input purchases")
      #expect(found[0].observed == 0.11)
      #expect(
        found[0].message.hasPrefix(
          "Since the night of 2026-03-30, purchases: rows fell from 200 to 178, used rows fell from 200 to 178. Fetch"))
    }
  }

  @Test("An offering that lost users fails, one that the job measures no more does not")
  func offeringLostUsers() {
    #expect(checks(users: 900).isEmpty)
    #expect(checks(users: 899).map(\.subject) == ["offering spring"])
    #expect(checks(users: 0) { $0.offerings = ["autumn"] }.isEmpty)
  }

  @Test("A job may allow more, or everything")
  func jobMayAllow() {
    #expect(checks(rows: 60, users: 700, level: 0.5).isEmpty)
    #expect(checks(rows: 0, users: 0, level: 1).isEmpty)
  }
}
