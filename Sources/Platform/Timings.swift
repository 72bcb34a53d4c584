/// How long each stage of a run took, in seconds.
package struct Timings: Sendable {
  /// One stage and how long it took.
  package struct Stage: Sendable {
    package let name: String
    package let seconds: Double
  }

  package private(set) var stages: [Stage] = []

  package init(stages: [Stage] = []) {
    self.stages = stages
  }

  /// Does the work; it is a stage to whoever shows how far the command has come.
  package mutating func time<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    ProgressMeter.current?.begin(name)
    let start = ContinuousClock.now
    defer { add(name, since: start) }
    return try body()
  }

  /// Does the work; it is a stage to whoever shows how far the command has come.
  package mutating func time<Result>(_ name: String, _ body: () async throws -> Result) async rethrows -> Result {
    ProgressMeter.current?.begin(name)
    let start = ContinuousClock.now
    let result = try await body()
    add(name, since: start)
    return result
  }

  private mutating func add(_ name: String, since start: ContinuousClock.Instant) {
    let duration = start.duration(to: .now).components
    stages.append(Stage(name: name, seconds: Double(duration.seconds) + Double(duration.attoseconds) / 1e18))
  }
}
