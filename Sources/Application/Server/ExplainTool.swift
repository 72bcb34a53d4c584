import Domain
import Foundation
import Jobs
import Serving

/// `explain`: one user's lines and values, where whoever starts the server names job files for it.
enum ExplainTool {
  /// - Parameter paths: the job files.
  /// - Throws: `OfferliftError`, exit 66 where a file is not there, 78 where it is not a job.
  static func tool(_ paths: [String], threads: Int) throws -> Tool {
    let jobs = try paths.map { (name: try JobReader.read($0).name, path: $0) }
    return Tool(
      "explain", title: "Explain a user",
      "Every line of a job's inputs that names a user, what became of it and why, and the user's value in each metric. It "
        + "names a person's purchases: ask only about somebody whose record you are to look at.",
      [
        Tool.Parameter("user", "The user, by any id the inputs have.", isRequired: true),
        Tool.Parameter("date", "Counted to the end of this day, 2026-03-31.", isRequired: true),
        Tool.Parameter("job", "The job's name; may be left out where there is one job alone."),
      ],
      answer: { arguments in
        let name = arguments.text("job")
        guard let job = jobs.first(where: { name == nil ? jobs.count == 1 : $0.name == name }) else {
          throw OfferliftError(.usage, "Say which \"job\": \(Phrase.list(jobs.map(\.name))).")
        }
        let explanation = try await UserExplanation.of(
          arguments.text("user") ?? "", job: job.path, night: .date(arguments.text("date") ?? ""), threads: threads)
        return try JSON(json: explanation.json())
      })
  }
}
