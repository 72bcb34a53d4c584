import Domain

/// Where people open published results: the address of the folder that runs publish into.
package struct ReportAddress: Sendable, Hashable {
  /// Without a slash at its end.
  private let base: String

  /// - Parameter text: `https://reports.example.org/offerlift`.
  /// - Throws: `OfferliftError`, exit 64, where it is no address of the web.
  package init(_ text: String) throws {
    let isAddress = ["https://", "http://"].contains { text.hasPrefix($0) && text.count > $0.count }
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"'<>\\`".utf8.contains($0) }
    guard isAddress, isPlain, !text.contains("?"), !text.contains("#") else {
      throw OfferliftError(.usage, "\"\(text)\" is no address; write https://reports.example.org/offerlift.")
    }
    var base = text
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
  }

  /// The report of a job's night.
  package func report(of job: String, night: String) -> String { "\(base)/\(job)/\(night)/report.html" }
}
