import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("What counts: environment, ownership and cut-off")
struct CountedRowTests: OneUser {
  @Test(
    "Production counts in any case, and so does no environment",
    arguments: ["", "Production", "PRODUCTION", "production"])
  func production(environment: String) async throws {
    #expect(try await measure([event("purchase", march(2), ["environment": environment])]).used == 1)
  }

  @Test(
    "Test environments are set aside as sandbox",
    arguments: ["Sandbox", "Xcode", "LocalTesting", "TestFlight", "SANDBOX", "?"])
  func sandbox(environment: String) async throws {
    let found = try await measure([event("purchase", march(2), ["environment": environment])])
    #expect(found.setAside == [.sandbox: 1])
    #expect(found.money == [0, 0, 0, 0, 0])
  }

  @Test("Shared purchases are access, not payment", arguments: ["FAMILY_SHARED", "family_shared"])
  func familyShared(ownership: String) async throws {
    let found = try await measure([event("purchase", march(2), ["ownershipType": ownership])])
    #expect(found.setAside == [.familyShared: 1])
    let own = try await measure([event("purchase", march(2), ["ownershipType": "PURCHASED"])])
    #expect(own.used == 1)
  }

  @Test("What happens at or after the cut-off has not happened")
  func cutoff() async throws {
    let found = try await measure([
      event("purchase", "2026-03-31T23:59:59.999Z"), event("purchase", "2026-04-01T00:00:00.000Z"),
      event("purchase", "2026-04-01T00:00:00.001Z"), event("purchase", "2026-04-01T01:59:59.999+02:00"),
    ])
    #expect(found.used == 2)
    #expect(found.setAside == [.afterCutoff: 2])
  }

  @Test("A row is set aside under the first reason that applies")
  func order() async throws {
    let sandbox = ["environment": "Sandbox"]
    let shared = ["ownershipType": "FAMILY_SHARED"]
    let late = "2026-05-01T00:00:00Z"
    let nobody = ["userId": "nobody"]
    let twice = ["userId": "u2"]
    let yen = ["currency": "JPY"]
    let copy = ["transactionId": "1"]
    func all(_ parts: [String: String]...) -> [String: String] {
      parts.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    let cases: [(String, SetAsideReason)] = [
      (event("purchase", late, all(sandbox, shared, nobody, yen, copy, ["price": "x"])), .badPrice),
      (event("purchase", late, all(sandbox, shared, nobody, yen, copy)), .sandbox),
      (event("purchase", late, all(shared, nobody, yen, copy)), .familyShared),
      (event("purchase", late, all(nobody, yen, copy)), .afterCutoff),
      (event("purchase", march(3), all(nobody, yen, copy)), .unassigned),
      (event("purchase", march(3), all(twice, yen, copy)), .excludedUser),
      (event("purchase", march(3), all(yen, copy)), .noExchangeRate),
      (event("purchase", march(3), copy), .duplicate),
    ]
    for (line, reason) in cases {
      let found = try await measure([event("purchase", march(2), copy), line]) { world in
        world.assignments += ["u2,test,a,2026-03-01", "u2,test,b,2026-03-01"]
      }
      #expect(found.setAside == [reason: 1], "\(line)")
      #expect(found.used == 1)
    }
  }
}
