import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Checks of the app server's log")
struct APILogCheckTests: APILogSuite {
  private func check(_ name: String, in checks: [Check]) throws -> Check {
    try #require(checks.first { $0.name == name })
  }

  @Test("Calls for an offering are counted over all rows, whoever called")
  func calls() async throws {
    let served = #"{"Success": 1, "Body": {"offeringId": "test", "testGroupId": "control"}}"#
    var world = world([
      call(Self.offering, served), call(Self.offering, #"{"Success": 1}"#, ["userId": "\"nobody\""]),
      call(Self.offering, #"{"Success": 5}"#, ["userId": ""]), call(Self.offering, #"{"Success": 9}"#),
      call(Self.offering, #"{"Success": 9}"#), call(Self.upgrade, "{}"),
      call(Self.offering, #"{"Success": 9}"#, ["occurredAt": "\"2026-04-01T00:00:00Z\""]),
    ])
    world.world.job = "warn_levels: {no_offering: 0.5}"
    let checks = try await world.checks()
    #expect(
      try ["no_offering", "auth_invalid", "server_error"].map { try check($0, in: checks).observed } == [0.2, 0.2, 0.4])
    #expect(
      try ["no_offering", "auth_invalid", "server_error"].map { try check($0, in: checks).status } == [
        .pass, .warn, .warn,
      ])
    #expect(
      try check("no_offering", in: checks).message
        == "1 of 5 calls for an offering (20 %) came back without one: no test was active for the caller.")
  }

  @Test("Without such a log there is nothing to say of calls, users and groups")
  func noCalls() async throws {
    let checks = try await SourceWorld("events", [event("purchase", march(2))]).checks()
    let names = ["no_offering", "auth_invalid", "server_error", "served_two_groups", "never_shown"]
    #expect(checks.filter { names.contains($0.name) }.isEmpty)
  }

  @Test("Users served two groups of an offering, and users never shown any, are counted among the measured")
  func exposure() async throws {
    func served(_ user: String, _ offering: String, _ group: String, _ clock: String) -> String {
      call(
        Self.offering, "{\"Success\": 1, \"Body\": {\"offeringId\": \"\(offering)\", \"testGroupId\": \"\(group)\"}}",
        ["userId": "\"\(user)\"", "occurredAt": "\"\(march(3, clock))\""])
    }
    var world = world([
      served("u1", "test", "control", "10:00:00"), served("u1", "test", "a", "11:00:00"),
      served("u2", "test", "control", "10:00:00"), served("u2", "test", "control", "11:00:00"),
      served("u3", "other", "b", "10:00:00"), served("u3", "test", "control", "11:00:00"),
    ])
    world.add("events", [event("paywall_view", march(4), ["userId": "u4"])])
    world.world.assignments = (1...5).map { "u\($0),test,control,2026-03-01" }
    let checks = try await world.checks()
    let twoGroups = try check("served_two_groups", in: checks)
    #expect(twoGroups.observed == 0.2)
    #expect(twoGroups.status == .warn)
    let neverShown = try check("never_shown", in: checks)
    #expect(neverShown.observed == 0.2)
    #expect(neverShown.status == .pass)
    #expect(neverShown.offering == "test")
    world.world.job = "warn_levels: {never_shown: 0.1, served_two_groups: 0.3}"
    let strict = try await world.checks()
    #expect(try check("never_shown", in: strict).status == .warn)
    #expect(try check("served_two_groups", in: strict).status == .pass)
  }
}
