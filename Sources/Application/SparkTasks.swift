import Analysis
import Foundation
import Jobs
import Spark

/// The tasks of a plan, in the folder where Spark has put the plan's files.
package enum SparkTasks {
  /// Does a stage's work for one task.
  ///
  /// - Throws: as `SparkTask.work`.
  package static func work(_ stage: SparkStage) async throws {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    try await SparkTask(stage, in: here) { try JobReader.read($0) }.work()
  }

  /// Reads what is left of the rows.
  package static func drainInput() { SparkTask.drainInput() }
}
