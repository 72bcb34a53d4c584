import Domain
import Foundation
import Platform

/// A job's folder in which files are put in each other's place and removed: it has to be this user's alone. Whoever else may
/// change it could have a run remove, or write, files in another place.
enum OwnFolder {
  /// - Parameter path: `DIR/<job>`; nothing may stand there yet.
  /// - Throws: `OfferliftError` 73 where it is a link, belongs to somebody else or may be written by anybody.
  static func verify(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw OutputFailure.error("read", path) }
      return
    }
    guard let (what, remedy) = fault(status, path) else { return }
    throw OfferliftError(
      .cannotCreateOutput,
      "\(path) \(what), so others may put what they like in the place of results. \(remedy), or type --trust-folder where "
        + "that is meant.")
  }

  /// What is wrong with a folder, and what to type; nil where nothing is.
  private static func fault(_ status: stat, _ path: String) -> (what: String, remedy: String)? {
    let word = ShellText.word(path)
    if status.st_mode & S_IFMT == S_IFLNK { return ("is a link", "Name the folder that it leads to") }
    if status.st_uid != geteuid() {
      return ("belongs to another user (\(status.st_uid))", "Make it yours: chown \(geteuid()) \(word)")
    }
    return status.st_mode & S_IWOTH == 0 ? nil : ("may be written by anybody", "Take that back: chmod o-w \(word)")
  }
}
