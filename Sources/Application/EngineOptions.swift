import Domain
import Foundation
import Jobs
import Spark

/// What the command line says of who measures.
package struct EngineOptions: Sendable {
  /// Nil is what the job says.
  private let name: EngineChoice.Name?
  /// How Spark's command line begins; nil is what the job says.
  private let submit: String?

  package init(name: EngineChoice.Name? = nil, submit: String? = nil) {
    self.name = name
    self.submit = submit
  }

  /// Spark, where it measures a job; nil where this process does.
  ///
  /// - Parameter root: where results go.
  /// - Throws: `OfferliftError`, exit 64, where the command line is none.
  func engine(for job: Job, root: URL, threads: Int) throws -> SparkEngine? {
    guard name ?? job.engine.name == .spark else { return nil }
    return SparkEngine(
      try submission(for: job), exchange: job.engine.exchange ?? root.appendingPathComponent(".exchange").path,
      plans: root.appendingPathComponent(".exchange"), sizes: job.engine.tasks.map { SparkSizes(for: $0) },
      threads: threads
    ) { try JobReader.read($0) }
  }

  /// How a job's plan is submitted.
  func submission(for job: Job) throws -> SparkSubmission {
    try SparkSubmission(submit ?? job.engine.submit ?? SparkSubmission.usualCommand)
  }
}
