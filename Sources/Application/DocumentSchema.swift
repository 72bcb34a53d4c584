import Domain
import Jobs
import Publishing

/// The files whose JSON Schema the program prints.
package enum DocumentSchema: String, CaseIterable, Sendable {
  case job, run, verdict

  /// The schema, draft 2020-12, as a file.
  package var text: String {
    switch self {
    case .job: JobSchema.schema(.product).json.file
    case .run: PublishedSchemas.run.json.file
    case .verdict: PublishedSchemas.verdict.json.file
    }
  }
}
