import Domain
import Foundation
import Platform

/// A folder among those of a job's nights that holds another night than its name says, or one of another job: it was renamed,
/// or moved there.
struct MisplacedNight {
  /// What it is, in a sentence.
  let words: String
  /// The command that mends it.
  let remedy: String

  /// Nil where the folder holds the night that it is called by, or does not say what it holds.
  ///
  /// - Parameters:
  ///   - name: the folder's, a night's date.
  ///   - folder: `DIR/<job>`.
  ///   - job: whose nights lie there.
  init?(_ name: String, in folder: String, job: String) throws {
    let path = (folder as NSString).appendingPathComponent(name)
    guard let row = try? StoryFolder(folder: URL(fileURLWithPath: path)).row(), row.night != name || row.job != job
    else {
      return nil
    }
    words = "the folder \(name) holds the night \(row.night) of the job \(row.job)"
    let own = (folder as NSString).appendingPathComponent(row.night)
    let isFree = try row.job == job && !Folder.exists(own)
    let target = ShellText.word(isFree ? own : "\(path).other")
    remedy = "\(isFree ? "Give it its name back" : "Move it away"): mv \(ShellText.word(path)) \(target)"
  }

  /// The job that a folder's nights are of: the one that it is named by, where it has a night of that, else the newest's.
  static func job(of nights: [String], in folder: String) -> String {
    let name = (folder as NSString).lastPathComponent
    let jobs = nights.compactMap { night in
      try? StoryFolder(folder: URL(fileURLWithPath: (folder as NSString).appendingPathComponent(night))).row().job
    }
    return jobs.contains(name) ? name : jobs.last ?? name
  }
}
