import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift mcp`: published results for programs that speak the Model Context Protocol.
struct McpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Answer questions about published results, as a Model Context Protocol server over stdin and stdout.",
    discussion: """
      For assistants and other programs that ask: which jobs and nights there are, the calls of a night with their \
      numbers, reasons and checks, what tables and columns mean, and SQL over results.sqlite. It reads alone: nothing is \
      written anywhere, not even beside the database, and nothing goes on the network. A night that is published \
      meanwhile is seen by the next question. It ends when the other side closes the pipe.

      No tool tells of persons, unless --job names a job file whose users may be explained.

      EXAMPLE: in a client's settings

        {"mcpServers": {"offerlift": {"command": "offerlift", "args": ["mcp", "/srv/reports"]}}}
      """)

  @Argument(help: "Folders that `run` publishes into, or a job's folder there.", completion: .directory)
  var folders: [String]

  @Option(
    help: ArgumentHelp("A job file whose users the tool `explain` may tell of. May be given again.", valueName: "job"),
    completion: .file(extensions: ["yml", "yaml"]))
  var job: [String] = []

  func run() async throws {
    // Who does not listen any more has ended the conversation.
    signal(SIGPIPE, SIG_IGN)
    let server = try ServerRun(
      folders: folders, jobs: job, threads: ProcessInfo.processInfo.activeProcessorCount)
    server.warnings.forEach { Terminal.warn("warning: \($0)") }
    do {
      try await server.serve { line in try Terminal.show("\(line)\n") }
    } catch is Terminal.NobodyReads {}
  }
}
