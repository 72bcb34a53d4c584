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
  /// - Returns: which jobs are missing on it, and why.
  /// - Throws: `OfferliftError` 73 or 74 where the page cannot be written, 75 where another run does not come to an end of it.
  @discardableResult
  package func renew() throws -> [String] {
    let path = root.appendingPathComponent(".index.lock").path
    let lock = try StoredFile.openLock(path)
    defer { close(lock) }
    try StoredFile.lock(lock, LOCK_EX, path)
    let (jobs, missing) = try jobs()
    let page = IsolatedNames(jobs.flatMap(\.names)).isolated(in: try PageTemplate.index.render(context(jobs)))
    try FileWriter.replace(root.appendingPathComponent(Self.name).path, with: Array(page.utf8))
    return missing
  }

  /// Every job with a night, by name, and of those whose results cannot be read why.
  private func jobs() throws -> (readable: [IndexedJob], missing: [String]) {
    var (readable, missing): ([IndexedJob], [String]) = ([], [])
    for name in try Folder.names(in: root.path).sorted() {
      let folder = root.appendingPathComponent(name)
      let path = folder.appendingPathComponent(Handover.database).path
      do {
        let database = ResultsDatabase(path: path)
        guard var job = try database.read({ try IndexedJob(name, in: $0) }) else { continue }
        try refuseOther(database, in: folder)
        job.retainPages(of: Set(try NightFolders(folder.path).names))
        readable.append(job)
      } catch {
        missing.append("\(Self.name) lacks the job \(name): \(error)")
      }
    }
    return (readable, missing)
  }

  /// What the page says of the newest night is what its folder says.
  private func refuseOther(_ database: ResultsDatabase, in folder: URL) throws {
    guard let newest = try NightFolders(folder.path).published.last else { return }
    let story = StoryFolder(folder: folder.appendingPathComponent(newest))
    let other = try database.read { try NightDifference.first(story, of: [VerdictsTable()], in: $0) }
    guard let other else { return }
    throw OfferliftError(
      .inputOutput,
      "\(database.path) \(other.words). Put a backup in its place\(HistoryCheck.rebuilding(folder.path, or: "."))")
  }

  private func context(_ jobs: [IndexedJob]) -> [String: Any] {
    ["style": PageStyle.css + PageStyle.index, "jobs": jobs.map(\.context), "isEmpty": jobs.isEmpty]
  }
}
