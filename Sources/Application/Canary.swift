import Analysis
import Domain
import Engine
import Jobs

/// Measures a night a second time, every file read anew, and compares: what earlier nights kept must change nothing.
struct Canary: Sendable {
  /// One night in so many days has one.
  let days: Int64
  /// Uses nothing of what was there before.
  let store: EventStore
  /// Reads by that store.
  let measuring: Measuring

  /// A night has one by its date alone, whenever it is run and however often.
  ///
  /// - Parameter night: its name, which begins with the date.
  func isDue(on night: String) -> Bool { TimeText.day(String(night.prefix(10)))?.isMultiple(of: days) ?? false }

  /// The outcome of the files themselves.
  ///
  /// - Throws: as `Measuring.measure`.
  func outcome(_ job: Job, cutoff: Instant, since: EarlierCount?) async throws -> NativeEngine.Outcome {
    store.open()
    return try await measuring.measure(job, cutoff: cutoff, since: since)
  }
}
