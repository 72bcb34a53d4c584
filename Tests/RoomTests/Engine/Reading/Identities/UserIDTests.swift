import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// How ids are written, and which of many are shown.
struct UserIDTests {
  private func isSpoilt(_ id: String) -> Bool {
    Array(id.utf8).withText { UserIDForm.isSpreadsheetNumber($0) }
  }

  private func hash(_ id: String) -> UInt64 { Array(id.utf8).withText { UserIDForm.looseHash($0) } }

  @Test(
    "A number as a spreadsheet shows it is known",
    arguments: ["4.07E+09", "4,07E+09", "4E+09", "1.234567E+15", "9.99e+307", "12.5E+11"])
  func numberSpreadsheetShows(id: String) { #expect(isSpoilt(id)) }

  @Test(
    "Other ids are not taken for one",
    arguments: [
      "", "u1", "E+09", "4.07E+9", "4.07E-09", "4.07+09", "a4.07E+09", "4.0.7E+09", "+4E+09x", "4.07E+0x", "E4+09",
      "++++++",
      "me+you", "4e+1234", "abce+09",
    ])
  func otherIdsAccepted(id: String) { #expect(!isSpoilt(id)) }

  @Test(
    "Ids that a tool may have changed unasked hash alike",
    arguments: [
      ("u1", "U1"), ("u1", " u1 "), ("u1", "u01"), ("7", "007"), ("u0", "u000"), ("u1", "\"u1\""), ("u1", "u\u{a0}1"),
      ("4071234567", "4071234567.0"), ("100", "100.000000"), ("a-b-1", "AB1"),
      ("{6F9619FF}", "6f9619ff"), ("1.05", "01.05"),
      ("u1", "u1\u{0}\u{0}"), ("\u{200b}u1", "u1"), ("\u{feff}u1\u{2060}", "u1"), ("jose\u{301}", "jos\u{e9}"),
      ("M\u{dc}LLER", "mu\u{308}ller"), ("1.00000003E8", "100000003"), ("1.5e+1", "15"), ("12E0", "12"),
      ("0xFF00", "ff00"), ("\\xff00", "ff00"), ("u1", "u1\u{7f}"), ("u1", "\u{3000}u1"),
    ])
  func idsToolMay(one: String, other: String) {
    #expect(hash(one) == hash(other))
  }

  @Test(
    "Ids of two users do not",
    arguments: [
      ("u1", "u2"), ("u1", "u10"), ("u10", "u1"), ("u0", "u"), ("u100", "u1"), ("1.05", "1.5x"), ("", "0"),
      ("1.0", "10"), ("1.05E1", "105"), ("1e5x", "100000x"), ("0xzz", "zz"), ("jose", "jos\u{e9}"),
    ])
  func idsTwoUsers(one: String, other: String) { #expect(hash(one) != hash(other)) }

  @Test("Where an id's end is told without a walk over it, the end is that of the walk")
  func quickEnds() {
    var dice = Dice(seed: 41)
    let letters = Array("ab019AZzeEx\\-.{ \u{a0}@[`".utf8)
    var reported = 0
    for _ in 0..<20_000 {
      let id = (0..<dice.below(12)).map { _ in letters[dice.below(letters.count)] }
      guard let quick = id.withText({ UserIDForm.quickLooseEnd($0) }) else { continue }
      reported += 1
      #expect(id.withText { UserIDForm.looseEnd($0) } == quick)
    }
    #expect(reported > 100)
  }

  @Test(
    "A number beyond 2^53 is known where it was rounded, written short or long",
    arguments: [
      ("740245381351497731", false), ("740245381351497700", true), ("740245381351497728", true),
      ("7.402453813514977E17", true), ("9223372036854775809", false), ("9007199254740995", false),
    ])
  func rounded(id: String, isRounded: Bool) {
    #expect(Array(id.utf8).withText { RoundedID($0)?.isRounded } == isRounded)
  }

  @Test("Smaller numbers and other ids are none", arguments: ["9007199254740992", "123", "a40245381351497731", ""])
  func notRounded(id: String) { #expect(Array(id.utf8).withText { RoundedID($0) == nil }) }

  @Test("Rounded ids are looked for in both directions, exact ones of two users are not alike")
  func roundedLookalikes() {
    func found(_ stranger: String, _ assigned: String) -> Bool {
      var unassigned = UnassignedPurchases()
      Array(stranger.utf8).withText { unassigned.add($0, hash: ByteHash.hash64($0)) }
      var ids = AssignedIDs()
      Array(assigned.utf8).withText { ids.accept($0, AssignedIDs.Wanted(unassigned)) }
      return !ids.lookalikes.isEmpty
    }
    #expect(found("740245381351497700", "740245381351497731"))
    #expect(found("740245381351497731", "740245381351497700"))
    #expect(found("7.402453813514977E17", "740245381351497731"))
    #expect(!found("740245381351497730", "740245381351497731"))
  }

  @Test(
    "What two spellings differ in is named",
    arguments: [
      ("u1 ", "u1", UserIDDifference.blanks), ("U1", "u1", .letterCase), ("jose\u{301}", "jos\u{e9}", .unicodeForm),
      ("u\u{200b}1", "u1", .invisible), ("u1\u{0}", "u1", .invisible), ("1.00000003E8", "100000003", .exponent),
      ("740245381351497700", "740245381351497731", .rounding), ("0xff00", "ff00", .prefix), ("12.0", "12", .decimals),
      ("007", "7", .zeros), ("{a-b}", "ab", .marks),
    ])
  func differences(one: String, other: String, difference: UserIDDifference) {
    #expect(UserIDDifference(Array(one.utf8), Array(other.utf8)) == difference)
  }

  @Test(
    "A shape tells how an id is written and not whose it is",
    arguments: [
      ("u000123", "x000999"), ("U7 ", "X9 "), ("0", "0"), ("100", "999"), ("4.07E+09", "4.07E+09"),
      ("caf\u{e9}-1", "xxxx-9"),
    ])
  func shapeReportsHow(id: String, shape: String) {
    #expect(UserIDShape.shape(Array(id.utf8)) == shape)
  }

  @Test(
    "Of a cell that may be an id a message shows the shape",
    arguments: [
      ("12,x", "12,x"), ("INITIAL_PURCHASE", "INITIAL_PURCHASE"), ("2026-13-01 10:00", "2026-13-01 10:00"),
      ("1,234.56", "1,234.56"), ("9", "9"), ("4.07E+09", "4.07E+09"), ("", ""), ("u7", "x9"),
      ("1000017", "9999999"), ("a@b.example", "x@x.xxxxxxx"), ("2026-03-11 u17", "9999-09-99 x99"),
    ])
  func quoted(cell: String, shown: String) {
    #expect(UserIDShape.quoted(cell) == shown)
    #expect(Array(cell.utf8).withText { $0.shown } == shown)
  }

  @Test(
    "Of a name the parts that may be an id show their shape",
    arguments: [
      ("/v1/users/u10017/plan", "/v1/users/x99999/plan"), ("store=play", "store=play"), ("level_12 b", "level_12 b"),
      ("/a@b.example", "/x@x.xxxxxxx"), ("refund status=re_1234", "refund status=xx_9999"), ("", ""), ("/", "/"),
    ])
  func names(name: String, shown: String) {
    #expect(Array(name.utf8).withText { $0.shownName } == shown)
  }

  @Test("A sample is the same whatever the order, the parts and the repetitions")
  func sampleSameWhatever() {
    let ids = (0..<5000).map { Array("user-\($0)".utf8) }
    func sample(_ ids: some Sequence<[UInt8]>) -> UserIDSample {
      var sample = UserIDSample(size: 10)
      for id in ids { id.withText { sample.offer($0, hash: ByteHash.hash64($0)) } }
      return sample
    }
    let whole = sample(ids).all
    #expect(whole.count == 10)
    #expect(sample(ids.reversed() + ids).all == whole)
    var merged = sample(ids.suffix(100))
    merged.merge(sample(ids.dropLast(100)))
    #expect(merged.all == whole)
    #expect(sample(ids.prefix(3)).all.count == 3)
  }

  @Test("Times before 2000 are counted")
  func timesBefore2000() {
    var times = EarlyTimes()
    for time in [46_083_420, 46_083, 0, 946_684_799_999, 946_684_800_000] as [Int64] { times.look(at: time) }
    #expect(times.rows == 4)
    #expect(times.earliest == 0)
  }
}
