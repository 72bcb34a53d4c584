import Domain
import Engine
import Foundation
import Jobs
import Platform
import Spark

/// Who measures a job: this process, or Apache Spark. Both come to the same outcome.
enum Measuring: Sendable {
  case here(threads: Int, store: EventStore?, memory: MemoryLimit?, pipes: PipeSpool)
  case spark(SparkEngine)
  /// Spark has measured already, as the plan says.
  case plan(PlanFolder, threads: Int)

  /// This process reads the inputs.
  var isHere: Bool { if case .here = self { true } else { false } }

  /// - Parameters:
  ///   - looksBack: whether every night since the first assignment is measured beside the one that ends at the cut-off.
  ///   - since: the earlier night that changes are told since; nil where none is asked for.
  /// - Throws: as `NativeEngine.measure`, and `SparkEngine.measure`.
  func measure(
    _ job: Job, cutoff: Instant, looksBack: Bool = true, since: EarlierCount? = nil
  ) async throws -> NativeEngine.Outcome {
    switch self {
    case .here(let threads, let store, let memory, let pipes):
      try await NativeEngine(
        job: job, cutoff: cutoff, threads: threads, looksBack: looksBack, since: since, store: store, memory: memory,
        context: RunContext(pipes: pipes)
      ).measure()
    case .spark(let engine):
      try await engine.measure(ExchangedRun(job: job, cutoff: cutoff, looksBack: looksBack, since: since))
    case .plan(let plan, let threads):
      try plan.outcome(asOf: cutoff, looksBack: looksBack, threads: threads) { try JobReader.read($0) }
    }
  }
}
