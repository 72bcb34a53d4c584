import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Groups that are no part of their test")
struct ExcludedGroupsTests {
  private func world(_ excluded: String) -> World {
    var world = World()
    world.assignments = [
      "u1,test,control,2026-03-01T00:00:00Z", "u2,test,b,2026-03-01T00:00:00Z", "u3,test,out,2026-03-01T00:00:00Z",
      // In the test from the tenth on.
      "u4,test,out,2026-03-01T00:00:00Z", "u4,test,b,2026-03-10T00:00:00Z",
      "u5,other,out,2026-03-01T00:00:00Z",
    ]
    world.events = ["u1", "u2", "u3", "u4", "u5"].map {
      event("purchase", march(5), ["userId": $0, "transactionId": $0])
    }
    world.job = excluded
    return world
  }

  @Test("Their users are counted and left out; a row of theirs says nothing of who is in another group")
  func everywhere() async throws {
    let found = try await world("exclude_groups: [out]").measure()
    let test = try #require(found.offerings.first { $0.id == "test" })
    #expect(test.groups.map(\.id) == ["b", "control"])
    #expect(test.inExcludedGroups == 1 && test.assignedUsers == 3 && test.multipleGroupUsers == 0)
    // The purchase of u4 came before its time in the test.
    #expect(found.sums(3, group: "b")?.sumY == 1 && found.sums(3, group: "control")?.sumY == 1)
    #expect(found.setAside == [.excludedUser: 2])
    #expect(found.offerings.first { $0.id == "other" }?.groups.isEmpty == true)
  }

  @Test("They may be named for one offering alone")
  func byOffering() async throws {
    let found = try await world("exclude_groups: {other: [out]}\nbaseline: {test: control, other: out}").measure()
    #expect(found.offerings.first { $0.id == "test" }?.groups.map(\.id) == ["b", "control", "out"])
    #expect(found.offerings.first { $0.id == "other" }?.inExcludedGroups == 1)
  }

  @Test("A check says how many, and neither weights nor the sample ratio ask for them")
  func checks() async throws {
    var world = SourceWorld("events", [event("purchase", march(5))])
    world.world.job = "exclude_groups: [out]\nweights: {test: {control: 1, b: 1, out: 8}}"
    world.world.assignments = (0..<120).map { "u\($0),test,\(["control", "b", "out"][$0 % 3]),2026-03-01T00:00:00Z" }
    let checks = try await world.checks()
    let excluded = try #require(checks.first { $0.name == "exclude_groups" })
    #expect(excluded.status == .pass && excluded.observed == 40)
    #expect(
      excluded.message.hasPrefix("40 users are in no group but out and are left out; 80 are in the test's groups."))
    #expect(checks.filter { $0.name.hasPrefix("sample_ratio") }.allSatisfy { $0.status == .pass })
  }

  @Test("Names that nobody is in are told with the nearest that somebody is in")
  func nobody() async throws {
    var world = SourceWorld("events", [event("purchase", march(5))])
    world.world.job = "exclude_groups: [contrl]"
    let check = try #require(try await world.checks().first { $0.name == "exclude_groups" })
    #expect(check.status == .warn && check.message.hasSuffix("the groups are control. Is \"control\" meant?"))
  }

  @Test("Spellings of one group are told, and not as bots")
  func alike() async throws {
    var world = SourceWorld("events", [event("purchase", march(5))])
    let names = ["b", "b ", "b\u{a0}", "B"]
    world.world.assignments = (0..<200).map { number in
      "u\(number),test,\(number % 2 == 0 ? "control" : number < 9 ? names[number / 2 % 4] : "b"),2026-03-01T00:00:00Z"
    }
    world.world.job = "decide_by: fixed"
    let checks = try await world.checks()
    let check = try #require(checks.first { $0.name == "similar_groups" })
    #expect(check.status == .fail && check.offering == "test")
    #expect(check.message.contains("\"b\" (97 users), \"B\" (1 user), \"b \" (1 user) and \"b\\u00a0\" (1 user)"))
    #expect(check.message.hasSuffix("exclude_groups: [\"B\", \"b \", \"b\\u00a0\"]."))
    #expect(!checks.contains { $0.message.contains("bots") })
  }

  @Test("Names are alike but for case, blanks, hyphens, what cannot be seen and letters that look the same")
  func similarNames() {
    let alike: [[Identifier]] = [
      ["Group B", "group_b"], ["b", "b\u{200b}"], ["e\u{301}", "\u{e9}"], ["new-price", "new price"],
      ["\u{ff22}", "b"],
      // What cannot be seen, and what only looks like a letter of the alphabet: Cyrillic and Greek.
      ["b", "b\u{3164}"], ["b", "b\u{2800}"], ["b", "b\u{fe0f}"], ["b", "b\u{34f}"], ["b", "b\u{17b4}"],
      ["control", "c\u{43e}ntrol"], ["control", "\u{421}\u{41e}NTROL"], ["ship", "sh\u{456}p"], ["a", "\u{3b1}"],
    ]
    for names in alike { #expect(SimilarNames.groups(names).count == 1, "\(names)") }
    let different: [[Identifier]] = [
      ["b", "c"], ["b1", "b2"], ["price_1_1", "price_11"], ["a", "ab"], ["control", "control2"],
      ["price_l", "price_1"], ["v0", "vO2"],
      ["\u{43d}\u{43e}\u{432}\u{430}\u{44f}", "\u{441}\u{442}\u{430}\u{440}\u{430}\u{44f}"],
    ]
    for names in different { #expect(SimilarNames.groups(names).isEmpty, "\(names)") }
  }
}
