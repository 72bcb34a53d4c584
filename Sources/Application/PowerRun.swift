import Analysis
import Domain
import Engine
import Jobs
import Platform

/// Plans a test on from what its job has measured by a night; reads the job's inputs and writes nothing.
package enum PowerRun {
  /// - Throws: `OfferliftError`, those of a run, and exit 64 for arguments that cannot be.
  package static func report(
    job path: String, night: NightChoice, arguments: PowerArguments, threads: Int
  ) async throws -> PowerReport {
    let job = try JobReader.read(path)
    let plans = try JobPlans(job, arguments: arguments)
    guard let cutoff = try night.cutoffs(timezone: job.timezone).last else {
      throw OfferliftError(.usage, "No night is asked for; type --date 2026-03-31.")
    }
    ProgressMeter.current?.accept(up: job.name)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: threads).measure()
    return try PowerReport(
      plans, measurement: outcome.measurement, metrics: outcome.metrics, cutoff: cutoff)
  }
}
