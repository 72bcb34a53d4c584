import Domain
import Platform
import Serving

/// `offerlift mcp`: published results, told to a program that asks.
package struct ServerRun: Sendable {
  private let server: Server
  /// What whoever starts it should know.
  package let warnings: [String]

  /// - Parameters:
  ///   - folders: what `run` publishes into, or jobs' folders there.
  ///   - jobs: job files whose users may be asked about.
  /// - Throws: `OfferliftError`, exit 66 where a folder or job file is not there, 78 where a file is not a job.
  package init(folders: [String], jobs: [String], threads: Int) throws {
    let isEmpty = try ResultsLibrary(folders: folders).isEmpty
    warnings =
      isEmpty ? ["No night has been published in \(Phrase.list(folders)) yet; it will be seen once one is."] : []
    let explain = jobs.isEmpty ? [] : [try ExplainTool.tool(jobs, threads: threads)]
    server = Server(folders: folders, more: [VocabularyTool.tool, HelpTool.tool] + explain)
  }

  /// Answers the client at stdin until it closes it.
  ///
  /// - Parameter say: writes a line to the client.
  /// - Throws: `OfferliftError` 74 where stdin cannot be read, and what `say` throws.
  package func serve(say: (String) throws -> Void) async throws {
    try await server.serve(BoundedLines(most: Server.longestMessage), say: say)
  }
}
