import Domain
import Foundation
import Glibc
import Platform

/// `index.html` in DIR: every job's latest night at a glance, and the way to all nights before it.
///
/// It is made of the jobs' `results.sqlite` whenever a night is published, and its links are relative, so that it works
/// from a file share, too.
package struct NightsIndex {
  /// DIR, the folder of all jobs' results.
  let root: URL

  package init(root: URL) {
    self.root = root
  }

  static let name = "index.html"

  /// Makes the page anew.
  ///
  /// Of two jobs that are published at once the later one waits for the other's page, so that none is missing.
  ///
  /// - Throws: `OfferliftError` 73 or 74 where the page cannot be written.
  package func renew() throws {
    let lock = try StoredFile.openLock(root.appendingPathComponent(".index.lock").path)
    defer { close(lock) }
    guard flock(lock, LOCK_EX) == 0 else { throw OutputFailure.error("lock", root.path, code: errno) }
    let page = try PageTemplate.index.render(context(try jobs()))
    try FileWriter.replace(root.appendingPathComponent(Self.name).path, with: Array(page.utf8))
  }

  /// Every job with a night, by name; one whose results cannot be read is left out.
  private func jobs() throws -> [IndexedJob] {
    try Folder.names(in: root.path).sorted().compactMap { name in
      let path = root.appendingPathComponent(name).appendingPathComponent(Handover.database).path
      return try? ResultsDatabase(path: path).read { try IndexedJob(name, in: $0) }
    }
  }

  private func context(_ jobs: [IndexedJob]) -> [String: Any] {
    ["style": PageStyle.css + PageStyle.index, "jobs": jobs.map(\.context), "isEmpty": jobs.isEmpty]
  }
}
