import Domain
import Platform

/// Talks to one client over two pipes, a message a line, until the client closes its end.
package struct Server: Sendable {
  /// Bytes that a client's message may have.
  package static let longestMessage = 4 << 20

  private let tools: [Tool]
  private let resources: Resources

  /// - Parameters:
  ///   - folders: what `run` publishes into, or jobs' folders there.
  ///   - more: tools beside those for published results.
  package init(folders: [String], more: [Tool] = []) {
    let library = ResultsLibrary(folders: folders)
    tools =
      [JobsTool.tool(library), NightsTool.tool(library), CallsTool.tool(library), TablesTool.tool(library)]
      + [QueryTool.tool(library)] + more
    resources = Resources(library: library)
  }

  /// Answers until there are no more lines, or nobody reads what is said.
  ///
  /// - Parameter say: writes a line to the client.
  /// - Throws: `OfferliftError` 74 where the client's lines cannot be read, and what `say` throws.
  package func serve(_ lines: consuming BoundedLines, say: (String) throws -> Void) async throws {
    let session = Session(tools: tools, resources: resources)
    while let line = try lines.line() {
      switch line {
      case .tooLong: try say(Session.tooLong(Self.longestMessage))
      case .bytes(let bytes):
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) { continue }
        if let reply = await session.reply(to: bytes) { try say(PrintableText.escaped(json: reply)) }
      }
    }
  }
}
