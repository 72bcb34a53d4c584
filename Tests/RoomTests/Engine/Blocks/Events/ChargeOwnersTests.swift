import Testing

@testable import Engine
@testable import Measurement

@Suite("Who has the charges that are followed")
struct ChargeOwnersTests {
  @Test("A user has what was noted of it, though others have it too; of what nobody seeks nothing is known")
  func having() {
    var owners = ChargeOwners(of: [70, 71, 70], count: 3)
    for user: UInt64 in [9, 4, 6] { owners.note(user, has: 70) }
    #expect(owners.note(4, has: 71) && !owners.note(4, has: 5))
    #expect([9, 4, 6].allSatisfy { owners.has($0, chargeOf: 70) } && !owners.has(5, chargeOf: 70))
    #expect(owners.has(4, chargeOf: 71) && !owners.has(9, chargeOf: 71) && !owners.has(4, chargeOf: 5))
    #expect(!owners.has(4, chargeOf: 0))
  }

  @Test("An event is its own user's who has the charge, else of the one with the least number, else as its row says")
  func owning() {
    var owners = ChargeOwners(of: [70, 71, 72], count: 3)
    for user: UInt64 in [9, 4, 6] { owners.note(user, has: 70) }
    owners.note(8, has: 71)
    #expect(owners.owner(of: 70, reported: 9) == 9 && owners.owner(of: 70, reported: 5) == 4)
    #expect(owners.owner(of: 71, reported: 5) == 8 && owners.owner(of: 72, reported: 5) == 5)
  }
}
