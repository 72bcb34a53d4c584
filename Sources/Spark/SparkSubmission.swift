import Domain
import Foundation
import Platform
import Subprocess

/// Hands a plan to Spark and waits for it.
package struct SparkSubmission: Sendable {
  /// The words before the plan's own: `spark-sql --master … --conf …`.
  private let command: [String]

  /// What is typed where nothing is said.
  package static let usualCommand = "spark-sql"

  /// - Parameter command: a command line that begins with `spark-sql`, with what the cluster needs.
  /// - Throws: `OfferliftError`, exit 64, where it is none.
  package init(_ command: String) throws {
    self.command = try ShellWords.split(command)
    guard self.command.first != nil else {
      throw OfferliftError(.usage, "--spark-submit is empty; write \"spark-sql --master yarn\", say.")
    }
  }

  /// The command line that submits a plan from its folder.
  func words(for plan: PlanFolder) -> [String] {
    let settings = [
      "spark.sql.catalogImplementation=in-memory", "spark.sql.warehouse.dir=\(plan.url.path)/warehouse",
      "spark.log.level=ERROR", "spark.ui.showConsoleProgress=true", "spark.io.compression.codec=zstd",
    ]
    let files = (try? plan.shippedFiles) ?? []
    return command + settings.flatMap { ["--conf", $0] } + [
      "--files", files.joined(separator: ","), "-f", PlanFolder.script,
    ]
  }

  /// Submits a plan; progress goes to whoever shows it, all that Spark says to `spark.log` in the plan's folder.
  ///
  /// Where the task that waits is cancelled, Spark is asked to end and the application with it.
  ///
  /// - Parameter stages: what the script's statements do, by the words for them.
  /// - Throws: `OfferliftError` with Spark's own reason: 65 and others where a task gave one, 66 where an input is
  ///   missing, 70 where the submission failed; `CancellationError`.
  func submit(_ plan: PlanFolder, stages: [String]) async throws {
    let words = words(for: plan)
    let printed = open(plan.printed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard printed >= 0 else {
      throw OfferliftError(.cannotCreateOutput, "\(plan.printed) cannot be written; check the rights of its folder.")
    }
    let log = SparkLog(plan.url.appendingPathComponent("spark.log").path, stages: stages)
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(60))]
    let executable: Executable = words[0].contains("/") ? .path(.init(words[0])) : .name(words[0])
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(Array(words.dropFirst())), environment: .inherit,
        workingDirectory: .init(plan.url.path), platformOptions: options, input: .none,
        output: .fileDescriptor(.init(rawValue: printed), closeAfterSpawningProcess: true), error: .sequence
      ) { execution in
        for try await line in execution.standardError.strings() { log.accept(line) }
      }
      try log.close()
      guard result.terminationStatus.isSuccess else { throw log.failure(of: words[0], "\(result.terminationStatus)") }
    } catch let error as SubprocessError {
      throw OfferliftError(
        .inputMissing,
        "\(words[0]) cannot be started (\(error)); install Apache Spark, or say where it is with --spark-submit.")
    }
  }
}
