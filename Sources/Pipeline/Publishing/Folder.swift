import CLinux
import Foundation

/// Steps on folders of which each happens whole or not at all, and is on the disk when it returns.
enum Folder {
  /// Makes the folder and those above it; one that is there is left alone.
  static func create(_ path: String) throws {
    guard !exists(path) else { return }
    let parent = (path as NSString).deletingLastPathComponent
    if !parent.isEmpty, parent != path { try create(parent) }
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw OutputFailure.error("create", path) }
    if !parent.isEmpty { try sync(parent) }
  }

  /// Waits until the disk has the folder's list of names.
  static func sync(_ path: String) throws {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure.error("open", path) }
    defer { close(descriptor) }
    // Some network file systems have no fsync for folders and say EINVAL; there is nothing more to do there.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFailure.error("write", path) }
  }

  /// Renames, replacing what may stand at `target`.
  static func rename(_ source: String, to target: String) throws {
    guard Foundation.rename(source, target) == 0 else { throw OutputFailure.error("create", target) }
  }

  /// Puts `source` where `target` is; what was there, if anything, lies at `source` or `aside` afterwards.
  ///
  /// Both change places in one step. Where the file system has no such step (NFS), the old folder goes aside
  /// first; for that instant there is none, and `UnfinishedNights` mends it should the run die in it.
  static func swap(_ source: String, into target: String, aside: String) throws {
    guard exists(target) else { return try rename(source, to: target) }
    if renameat2(AT_FDCWD, source, AT_FDCWD, target, UInt32(OFFERLIFT_RENAME_EXCHANGE)) == 0 {
      return
    }
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw OutputFailure.error("replace", target) }
    try swapInTwoSteps(source, into: target, aside: aside)
  }

  /// What `swap` does where the file system cannot swap.
  static func swapInTwoSteps(_ source: String, into target: String, aside: String) throws {
    try remove(aside)
    try rename(target, to: aside)
    try rename(source, to: target)
  }

  /// Removes a file or a folder with all it holds; what is not there is removed already.
  static func remove(_ path: String) throws {
    guard exists(path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw OfferliftError(.cannotCreateOutput, "cannot remove \(path): \(error.localizedDescription)")
    }
  }

  /// Points `link` at `target` (a name beside it): a reader sees the old target or the new.
  static func link(_ link: String, to target: String) throws {
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != target else { return }
    let beside = hiddenSibling(of: link)
    try remove(beside)
    guard symlink(target, beside) == 0 else { throw OutputFailure.error("create", beside) }
    try rename(beside, to: link)
    try sync((link as NSString).deletingLastPathComponent)
  }

  /// The names in a folder, sorted; none where there is no folder.
  static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  /// Whether anything stands at the path, a broken link included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Where a file is made before it takes its place: same folder, hidden name.
  static func hiddenSibling(of path: String) -> String {
    let (parent, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
    return (parent as NSString).appendingPathComponent(".\(name).new")
  }
}
