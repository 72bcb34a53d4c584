import Foundation

/// Finishes or clears away what a run that died left in a job's folder.
///
/// A night is published in two places: its folder and `results.sqlite`. The database's commit decides. The new
/// folder lies complete under `.publishing-<night>` by then, and the row in `nights` holds its checksum; so
/// whoever comes next can tell a folder that was decided for from one that was not:
///
/// | died | left behind | the next run |
/// |---|---|---|
/// | before the commit | a new folder the database does not know | removes it: the old night stands whole |
/// | after it, before the swap | a new folder the database knows | swaps it in: the new night stands whole |
/// | after the swap | the old folder under the hidden name | removes it |
struct UnfinishedNights {
  /// `DIR/<job>`.
  let folder: String
  let job: String
  let database: String

  private static let stagingPrefix = ".publishing-"
  private static let asidePrefix = ".replaced-"

  /// Where a night's folder is made.
  func staging(_ night: String) -> String { path(Self.stagingPrefix + night) }

  /// Puts everything right; does nothing after a run that ended well.
  func heal() throws {
    for name in Folder.names(in: folder) {
      if name.hasPrefix(Self.stagingPrefix) {
        let night = String(name.dropFirst(Self.stagingPrefix.count))
        try isDecided(night) ? place(night) : clear(night)
      } else if name.hasPrefix(Self.asidePrefix) {
        try restore(String(name.dropFirst(Self.asidePrefix.count)))
      } else if name.hasPrefix("."), name.hasSuffix(".new") {
        try Folder.remove(path(name))
      }
    }
    try pointLatest()
  }

  /// Swaps a staged night into its place and removes what was there.
  func place(_ night: String) throws {
    try Folder.swap(staging(night), into: path(night), aside: path(Self.asidePrefix + night))
    try Folder.sync(folder)
    try clear(night)
  }

  /// Points `latest` at the newest night there is, whichever was published last: a back-fill does not move it back.
  func pointLatest() throws {
    let nights = Folder.names(in: folder).filter { Night.isName($0) && Folder.isDirectory(path($0)) }
    guard let newest = nights.last else { return }
    try Folder.link(path("latest"), to: newest)
  }

  /// Whether the database has the staged night, and its place not yet.
  private func isDecided(_ night: String) throws -> Bool {
    guard let found = FolderChecksum.text(of: staging(night)) else { return false }
    guard try SQLiteExporter.content(ofNight: night, job: job, in: database) == found else { return false }
    return FolderChecksum.text(of: path(night)) != found
  }

  private func clear(_ night: String) throws {
    try restore(night)
    try Folder.remove(staging(night))
  }

  /// An old folder that went aside comes back if nothing took its place, else it goes.
  private func restore(_ night: String) throws {
    let (aside, target) = (path(Self.asidePrefix + night), path(night))
    guard Folder.exists(aside) else { return }
    if !Folder.exists(target) { return try Folder.rename(aside, to: target) }
    try Folder.remove(aside)
  }

  private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }
}
