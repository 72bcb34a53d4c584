import Testing

@testable import Engine

/// Whose transactions are that calls of the app sent.
@Suite("Who bought what a call sent")
struct PurchasersTests {
  /// What rows say, in the order in which they say it.
  private enum Row {
    /// The store's ids of one subscription.
    case store(String, String)
    /// The app's id that the store's rows give with one of theirs.
    case token(String, String)
    case sent(String, by: String, at: Int64)
    case alias(String, of: String)

    func add(to links: IdentityLinks) {
      func with(_ id: String, _ other: String, _ body: (Text, Text) -> Void) {
        Array(id.utf8).withText { id in Array(other.utf8).withText { body(id, $0) } }
      }
      switch self {
      case .store(let id, let other): with(id, other) { links.addSubscription($0, $1) }
      case .token(let id, let other): with(id, other) { links.addAlias($0, $1) }
      case .sent(let id, let user, let time): with(id, user) { links.addBuyer($1, of: $0, time: time) }
      case .alias(let id, let user): with(id, user) { links.add(alias: $0, user: $1) }
      }
    }
  }

  /// The map in whatever order the rows come, and by whichever files.
  private func identities(_ rows: Row...) -> Identities {
    let (all, first) = (IdentityLinks(), IdentityLinks())
    for (number, row) in rows.reversed().enumerated() { row.add(to: number % 2 == 0 ? first : all) }
    all.merge(first)
    return all.finish()
  }

  private func user(_ id: String, in identities: Identities) -> String {
    Array(id.utf8).withText { String(decoding: identities.resolve($0), as: UTF8.self) }
  }

  @Test("A transaction that a user sent makes its subscription the user's, and goes by the user's id")
  func buyer() {
    let found = identities(
      .store("100", "101"), .store("100", "102"), .sent("102", by: "u1", at: 5), .store("200", "201"))
    #expect(["100", "101", "102", "u1"].map { user($0, in: found) } == ["u1", "u1", "u1", "u1"])
    #expect(user("201", in: found) == user("200", in: found))
    #expect(user("201", in: found) != "u1")
    #expect(found.disputes == 0)
  }

  @Test("Of two who sent one subscription it is the first one's, and the two stay two")
  func restored() {
    let found = identities(
      .store("100", "101"), .sent("101", by: "b", at: 5), .sent("100", by: "a", at: 7), .sent("200", by: "a", at: 8))
    #expect(["100", "101", "200", "a", "b"].map { user($0, in: found) } == ["b", "b", "a", "a", "b"])
    #expect(found.disputes == 1)
    // At one moment the first by bytes.
    let together = identities(.sent("100", by: "b", at: 5), .sent("100", by: "a", at: 5))
    #expect(user("100", in: together) == "a")
    #expect(together.disputes == 1)
  }

  @Test("A token that no user goes by is another name of the buyer")
  func tokens() {
    let found = identities(
      .token("t", "100"), .token("t", "200"), .sent("100", by: "u1", at: 5), .sent("300", by: "u2", at: 5))
    #expect(Set(["100", "200", "t", "u1"].map { user($0, in: found) }).count == 1)
    #expect(user("300", in: found) == "u2")
    #expect(found.disputes == 0)
  }

  @Test("A token that is a user's id says whose the subscription is, whoever sends it")
  func tokensThatAreUsers() {
    let found = identities(
      .token("u1", "100"), .token("u2", "200"), .token("u3", "300"), .sent("100", by: "u1", at: 5),
      .sent("200", by: "u1", at: 5), .sent("200", by: "u2", at: 9), .sent("300", by: "u1", at: 5))
    #expect(user("100", in: found) == user("u1", in: found))
    #expect(user("200", in: found) == user("u2", in: found))
    // Nothing tells that u3 makes calls, too: it is no other name of u1 where others go by their own.
    #expect(user("300", in: found) == user("u3", in: found))
    #expect(Set(["u1", "u2", "u3"].map { user($0, in: found) }).count == 3)
    #expect(found.disputes == 2)
  }

  @Test("What a table says of a transaction comes first, and users that it names are followed")
  func tables() {
    let found = identities(
      .alias("100", of: "ann"), .sent("100", by: "x", at: 1), .alias("x", of: "ben"), .sent("200", by: "x", at: 1))
    #expect(user("100", in: found) == "ann")
    #expect(user("200", in: found) == "ben")
    #expect(found.disputes == 0)
  }
}
