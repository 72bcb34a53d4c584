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
  /// The program that a job names is started.
  private let startsPrograms: Bool

  package init(name: EngineChoice.Name? = nil, submit: String? = nil, startsPrograms: Bool = false) {
    self.name = name
    self.submit = submit
    self.startsPrograms = startsPrograms
  }

  /// Spark, where it measures a job; nil where this process does.
  ///
  /// - Parameter root: where results go.
  /// - Throws: as `submission`.
  func engine(for job: Job, root: URL, threads: Int) throws -> SparkEngine? {
    guard name ?? job.engine.name == .spark else { return nil }
    return SparkEngine(
      try submission(for: job), exchange: job.engine.exchange ?? root.appendingPathComponent(".exchange").path,
      plans: root.appendingPathComponent(".exchange"), sizes: job.engine.tasks.map { SparkSizes(for: $0) },
      threads: threads
    ) { try JobReader.read($0) }
  }

  /// How a job's plan is submitted.
  ///
  /// - Throws: `OfferliftError`, exit 64, where the command line is none; 78 where the job names the program, and may not.
  func submission(for job: Job) throws -> SparkSubmission {
    if submit == nil, let named = job.engine.submit, !startsPrograms { throw refusal(of: named, in: job) }
    return try SparkSubmission(submit ?? job.engine.submit ?? SparkSubmission.usualCommand)
  }

  /// Whoever writes a job file may name files, and starts no program.
  private func refusal(of command: String, in job: Job) -> OfferliftError {
    let file = job.file.lastPathComponent
    return OfferliftError(
      .badJobFile,
      "\(file), line \(job.engine.submitLine): engine: submit: names a program (\(command)), and programs are started only "
        + "where that is allowed. Type it yourself: --spark-submit \(ShellText.word(command)), or offerlift run "
        + "--allow-commands \(ShellText.word(file))")
  }
}
