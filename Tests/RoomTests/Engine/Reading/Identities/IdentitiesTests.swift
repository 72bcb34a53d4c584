import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("Who an id stands for")
struct IdentitiesTests {
  /// Someone says that an id is an alias: a table's row, or a transfer at a time.
  private struct Link {
    var alias: String
    var user: String
    var time: Int64?

    init(_ alias: String, _ user: String, at time: Int64? = nil) {
      self.alias = alias
      self.user = user
      self.time = time
    }

    func add(to links: IdentityLinks) {
      Array(alias.utf8).withText { alias in
        Array(user.utf8).withText { user in
          if let time {
            links.addTransfer(alias: alias, user: user, time: time)
          } else {
            links.add(alias: alias, user: user)
          }
        }
      }
    }
  }

  private func identities(_ links: [Link]) -> Identities {
    let all = IdentityLinks()
    for link in links { link.add(to: all) }
    return all.finish()
  }

  private func user(_ id: String, in identities: Identities) -> String {
    Array(id.utf8).withText { String(decoding: identities.resolve($0), as: UTF8.self) }
  }

  @Test("Without links every id is its own user, and the very bytes come back")
  func empty() {
    #expect(Identities.none.isEmpty)
    let id = Array("u1".utf8)
    id.withText { #expect(Identities.none.resolve($0).unsafeBytes.baseAddress == $0.unsafeBytes.baseAddress) }
  }

  @Test("A chain is followed to its end, an id outside stays itself")
  func chain() {
    let found = identities([Link("b", "c"), Link("a", "b"), Link("x", "x")])
    #expect(["a", "b", "c", "x", "y", ""].map { user($0, in: found) } == ["c", "c", "c", "x", "y", ""])
    #expect(found.idsInCycles == 0)
    #expect(found.conflicts == 0)
  }

  @Test("A chain of ten thousand aliases in any order has one end")
  func longChain() {
    var dice = Dice(seed: 10)
    let links = (0..<10_000).map { Link("id-\($0)", "id-\($0 + 1)") }.shuffled(using: &dice)
    let found = identities(links)
    for number in 0...10_000 { #expect(user("id-\(number)", in: found) == "id-10000") }
  }

  @Test("The members of a cycle stay themselves, and a chain that meets it ends there")
  func cycle() {
    let found = identities([
      Link("a", "b"), Link("b", "c"), Link("c", "a"), Link("x", "y"), Link("y", "b"), Link("p", "q"), Link("q", "p"),
      Link("k", "l"),
    ])
    let ends = ["a", "b", "c", "x", "y", "p", "q", "k"].map { user($0, in: found) }
    #expect(ends == ["a", "b", "c", "b", "b", "p", "q", "l"])
    #expect(found.idsInCycles == 5)
  }

  @Test("An alias with two users stays itself; one whose row is repeated, or names itself too, does not")
  func conflict() {
    let found = identities([
      Link("a", "b"), Link("a", "c"), Link("a", "b"), Link("z", "a"), Link("d", "e"), Link("d", "e"), Link("d", "d"),
    ])
    #expect(["a", "z", "d"].map { user($0, in: found) } == ["a", "a", "e"])
    #expect(found.conflicts == 1)
  }

  @Test("Ids that only look alike are different users")
  func bytes() {
    let found = identities([Link("caf\u{e9}", "composed"), Link("cafe\u{301}", "decomposed"), Link("U", "upper")])
    #expect(user("caf\u{e9}", in: found) == "composed")
    #expect(user("cafe\u{301}", in: found) == "decomposed")
    #expect(user("u", in: found) == "u")
  }

  @Test("The latest transfer wins, of several at one time the greatest id, and a table's row before all")
  func transfers() {
    let found = identities([
      Link("a", "late", at: 20), Link("a", "early", at: 10), Link("b", "x", at: 5), Link("b", "y", at: 5),
      Link("c", "t", at: 9), Link("c", "table"), Link("d", "d", at: 9), Link("d", "e", at: 8),
      Link("f", "1"), Link("f", "2"), Link("f", "3", at: 1),
    ])
    let ends = ["a", "b", "c", "d", "f"].map { user($0, in: found) }
    #expect(ends == ["late", "y", "table", "e", "f"])
  }

  // MARK: - Any order, any thread

  /// Random links among few ids, so that chains, cycles, conflicts and ties are many.
  private func links(_ dice: inout Dice) -> [Link] {
    let ids = (0..<(2 + dice.below(12))).map { "i\($0)" }
    return (0..<dice.below(16)).map { _ in
      Link(dice.pick(ids), dice.pick(ids), at: dice.chance(0.4) ? Int64(dice.below(3)) : nil)
    }
  }

  /// What links come to, by dictionaries: the slow, obvious way.
  private func plain(_ links: [Link]) -> (user: [String: String], inCycles: Int, conflicts: Int) {
    let real = links.filter { $0.alias != $0.user }
    let rows = Dictionary(grouping: real.filter { $0.time == nil }, by: \.alias).mapValues { Set($0.map(\.user)) }
    let moves = Dictionary(grouping: real.filter { $0.time != nil }, by: \.alias)
      .compactMapValues { $0.max { ($0.time!, $0.user) < ($1.time!, $1.user) }?.user }
    var next = moves.merging(rows.compactMapValues(\.first)) { $1 }
    for (alias, users) in rows where users.count > 1 { next[alias] = nil }
    let ids = Set(links.flatMap { [$0.alias, $0.user] })
    func walk(_ id: String, _ steps: Int) -> String { (0..<steps).reduce(id) { at, _ in next[at] ?? at } }
    let inCycles = ids.filter { id in next[id] != nil && (1...ids.count).contains { walk(id, $0) == id } }
    inCycles.forEach { next[$0] = nil }
    let users = Dictionary(uniqueKeysWithValues: ids.map { ($0, walk($0, ids.count)) })
    return (users, inCycles.count, rows.count { $0.value.count > 1 })
  }

  @Test("Random links come to what dictionaries make of them, whatever the order and the parts they come in")
  func random() {
    let seed: UInt64 = 2026
    var dice = Dice(seed: seed)
    for round in 0..<1500 {
      let links = links(&dice)
      let expected = plain(links)
      let parts = (0..<3).map { _ in IdentityLinks() }
      for link in links.shuffled(using: &dice) { link.add(to: dice.pick(parts)) }
      parts[0].merge(parts[1])
      parts[0].merge(parts[2])
      let found = parts[0].finish()
      for (id, user) in expected.user { #expect(self.user(id, in: found) == user, "seed \(seed), round \(round)") }
      #expect(found.idsInCycles == expected.inCycles, "seed \(seed), round \(round)")
      #expect(found.conflicts == expected.conflicts, "seed \(seed), round \(round)")
    }
  }

  @Test("Threads that add side by side lose nothing")
  func threads() async {
    let links = IdentityLinks()
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<8 {
        group.addTask {
          for number in stride(from: part, to: 4000, by: 8) { Link("a\(number)", "u\(number / 2)").add(to: links) }
        }
      }
    }
    let found = links.finish()
    for number in 0..<4000 { #expect(user("a\(number)", in: found) == "u\(number / 2)") }
  }
}
