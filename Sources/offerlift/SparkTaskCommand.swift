import Application
import ArgumentParser
import Foundation
import Spark

/// `offerlift spark-task`: what Spark starts in each of its tasks. Nobody types it.
struct SparkTaskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spark-task", abstract: "Do a task of a plan, from rows to rows.", shouldDisplay: false)

  @Argument(help: "What the task is for.")
  var stage: SparkStage

  func run() async throws {
    do {
      try await SparkTasks.work(stage)
    } catch {
      // Rows that nobody reads break Spark's pipe, and it then tells of that.
      SparkTasks.drainInput()
      throw error
    }
  }
}

extension SparkStage: ExpressibleByArgument {}
