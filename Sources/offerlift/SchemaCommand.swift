import Application
import ArgumentParser

/// `offerlift schema`: what may stand in a file, for editors and programs.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of job files, or of run.json or verdict.json.",
    discussion: """
      By the schema of job files an editor completes keys, metrics, checks and formats, explains them, and underlines \
      mistakes. YAML's language server takes it by a first line of the job file:

        # yaml-language-server: $schema=job.schema.json

      EXAMPLES

        offerlift schema job > jobs/job.schema.json
        offerlift schema verdict > verdict.schema.json
      """)

  @Argument(help: "Whose schema: job, run (of run.json) or verdict (of verdict.json).")
  var file: DocumentSchema

  func run() throws { try Terminal.results(file.text) }
}

extension DocumentSchema: ExpressibleByArgument {}
