import Domain
import Foundation
import Measurement
import Platform

/// Finishes or clears away what a run that died left in a job's folder.
///
/// `results.sqlite` decides: it is the first thing of a `Handover` to be put in place and the last to be taken
/// back, and its row in `nights` holds the checksum of the night's folder. So the next run sees how far a dead one
/// came:
///
/// | died | left behind | the next run |
/// |---|---|---|
/// | while making the night | `.publishing` | removes it: the old night stands |
/// | before the database was in place | `.placing`, a database without it | removes it: the old night stands |
/// | after that | `.placing`, a database with it | puts the rest in place: the new night stands |
/// | while old nights' folders went | `.pruning` | removes it: each of the other folders is whole |
struct UnfinishedNights {
  /// `DIR/<job>`.
  let folder: String
  let job: String

  /// Puts everything right; does nothing after a run that ended well.
  func complete() throws {
    if try Folder.isDirectory(path(Handover.placing)) {
      try returnAsides()
      try finish()
      try Folder.sync(folder)
    }
    for name in [Handover.placing, Handover.making, PrunedNights.removing] { try Folder.remove(path(name)) }
    for name in try Folder.names(in: folder) where name.hasPrefix(".") && name.hasSuffix(".new") {
      try Folder.remove(path(name))
    }
    try pointLatest()
  }

  /// Points `latest` at the newest night there is, whichever was published last.
  private func pointLatest() throws {
    guard let newest = try Self.newestNight(in: folder) else { return }
    try Folder.link(path(Handover.latest), to: newest)
  }

  /// The newest of the nights in the job's folder, and of those on their way there.
  static func newestNight(in folder: String, and coming: String? = nil) throws -> String? {
    return (try NightFolders(folder).names + [coming].compactMap(\.self)).max {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  /// What went aside on a file system that cannot swap comes back if nothing took its place.
  private func returnAsides() throws {
    for name in try Folder.names(in: path(Handover.placing)) where name.hasPrefix("aside-") {
      let target = path(String(name.dropFirst("aside-".count)))
      if try !Folder.exists(target) { try Folder.rename(path(Handover.placing, name), to: target) }
    }
  }

  /// Makes folder and metrics those of the night that the database has.
  private func finish() throws {
    guard let handover = try recorded() else { return }
    let decided = try SQLiteExporter.content(ofNight: handover.night, job: job, in: path(Handover.database))
    let staged = path(Handover.placing, handover.night)
    if let decided, try FolderChecksum.text(of: path(handover.night)) != decided,
      try FolderChecksum.text(of: staged) == decided
    {
      try Folder.swap(staged, with: path(handover.night), aside: path(Handover.placing, "aside-\(handover.night)"))
    }
    guard decided == handover.content else { return }
    let metrics = path(Handover.placing, Handover.metricsAgain)
    if try Folder.exists(metrics) { try Folder.rename(metrics, to: path(Handover.metrics)) }
  }

  /// What the run that died was about to put in place.
  private func recorded() throws -> Handover? {
    let record = path(Handover.placing, Handover.record)
    guard try Folder.exists(record) else { return nil }
    let words = String(decoding: try StoredFile.bytes(of: record), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map(String.init)
    guard words.count == 2, Night.isName(words[0]) else { return nil }
    return Handover(folder: folder, night: words[0], content: words[1])
  }

  private func path(_ names: String...) -> String {
    names.reduce(folder) { ($0 as NSString).appendingPathComponent($1) }
  }
}
