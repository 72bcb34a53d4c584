import Testing

@testable import Analysis

/// Whether most of the users who count saw the paywall at all.
struct NotExposedCheckTests {
  /// The checks of ten users, of whom so many saw the paywall.
  private func checks(viewed: Int, job: String = "") async throws -> [Check] {
    let views = (0..<viewed).map { event("paywall_view", march(4), ["userId": "u\($0)"]) }
    var world = SourceWorld("events", [event("purchase", march(5))] + views)
    world.world.assignments = (0..<10).map { "u\($0),test,control,2026-03-01" }
    world.world.job = job
    return try await world.checks().filter { $0.name == "not_exposed" }
  }

  @Test("Fewer than half who saw the paywall warns, and names the line to type")
  func few() async throws {
    let check = try #require(try await checks(viewed: 4).first)
    #expect(check.status == .warn)
    #expect(check.observed == 0.6)
    #expect(
      check.message == """
        6 of 10 measured users (60 %) never saw the paywall. They hide the effect on those who did. To count only those, \
        write `population: exposed`.
        """)
  }

  @Test("More than half passes, and so does what the job allows")
  func enough() async throws {
    #expect(try await checks(viewed: 6).map(\.status) == [.pass])
    #expect(try await checks(viewed: 4, job: "warn_levels: {not_exposed: 0.7}").map(\.status) == [.pass])
  }

  @Test("Without views, and of a job that counts only who saw the paywall, there is nothing to say")
  func nothing() async throws {
    #expect(try await checks(viewed: 0).isEmpty)
    #expect(try await checks(viewed: 4, job: "population: exposed").isEmpty)
  }
}
