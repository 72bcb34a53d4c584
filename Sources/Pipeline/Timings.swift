/// How long each stage of a run took, in seconds.
struct Timings: Sendable {
  private(set) var stages: [RunRecord.Stage] = []

  mutating func time<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    defer { add(name, since: start) }
    return try body()
  }

  mutating func time<Result>(_ name: String, _ body: () async throws -> Result) async rethrows -> Result {
    let start = ContinuousClock.now
    let result = try await body()
    add(name, since: start)
    return result
  }

  private mutating func add(_ name: String, since start: ContinuousClock.Instant) {
    let duration = start.duration(to: .now).components
    stages.append(RunRecord.Stage(name: name, seconds: Double(duration.seconds) + Double(duration.attoseconds) / 1e18))
  }
}
