import CLinux
import Foundation

/// Steps on folders of which each happens whole or not at all, and questions that are never answered by a guess:
/// what the disk does not tell is an error, not "nothing there".
package enum Folder {
  /// The folder that a path stands in, by its words alone; empty for a name in the working folder.
  ///
  /// In the place of Foundation's `deletingLastPathComponent` of a text, which ends the program at a path of one letter.
  package static func parent(of path: String) -> String {
    let bytes = Array(path.utf8)
    let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }
    guard let slash = bytes[..<(end ?? 0)].lastIndex(of: UInt8(ascii: "/")) else { return end == nil ? path : "" }
    let last = bytes[..<slash].lastIndex { $0 != UInt8(ascii: "/") }
    return last.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? "/"
  }

  /// Makes the folder and those above it, for its owner and the owner's group; one that is there is left alone.
  package static func create(_ path: String) throws {
    guard try !exists(path) else { return }
    let parent = parent(of: path)
    if !parent.isEmpty, parent != path { try create(parent) }
    guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw OutputFailure.error("create", path) }
    if !parent.isEmpty { try sync(parent) }
  }

  /// Waits until the disk has the folder's list of names.
  package static func sync(_ path: String) throws {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure.error("open", path) }
    defer { close(descriptor) }
    // Some network file systems have no fsync for folders and say EINVAL; there is nothing more to do there.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFailure.error("write", path) }
  }

  /// Waits until the disk has what stands at the path: a file's bytes, or a folder with all it holds.
  package static func syncAll(_ path: String) throws {
    let kind = try status(of: path).map { $0.st_mode & S_IFMT }
    if kind == S_IFDIR {
      for name in try names(in: path) { try syncAll((path as NSString).appendingPathComponent(name)) }
      try sync(path)
    } else if kind == S_IFREG {
      try StoredFile.sync(path)
    }
  }

  /// Copies a file, a link, or a folder with all it holds; the disk has it when this returns.
  ///
  /// - Throws: `OfferliftError` 73 or 74, also of a pipe or a device: nobody knows when reading it ends.
  package static func copyAll(_ source: String, to target: String) throws {
    try refuseEndless(source)
    do { try FileManager.default.copyItem(atPath: source, toPath: target) } catch {
      let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      throw OutputFailure.error("copy \(source) to", target, code: system.map { Int32($0.code) } ?? EIO)
    }
    try syncAll(target)
  }

  private static func refuseEndless(_ path: String) throws {
    let kind = try status(of: path).map { $0.st_mode & S_IFMT }
    if kind == S_IFDIR {
      for name in try names(in: path) { try refuseEndless((path as NSString).appendingPathComponent(name)) }
    } else if kind != S_IFLNK {
      try StoredFile.refuseOther(path)
    }
  }

  /// Renames, replacing what may stand at `target`.
  package static func rename(_ source: String, to target: String) throws {
    guard Foundation.rename(source, target) == 0 else { throw OutputFailure.error("create", target) }
  }

  /// Lets two paths change places in one step; where nothing stands at `target`, `source` moves there.
  ///
  /// Where the file system has no such step (NFS) it takes three, by way of `aside`. For a file there is no instant
  /// without one at `target`; for a folder there is, and `UnfinishedNights` mends it should the run die in it.
  package static func swap(_ source: String, with target: String, aside: String) throws {
    guard try exists(target) else { return try rename(source, to: target) }
    if renameat2(AT_FDCWD, source, AT_FDCWD, target, UInt32(OFFERLIFT_RENAME_EXCHANGE)) == 0 { return }
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw OutputFailure.error("replace", target) }
    try swapInSteps(source, with: target, aside: aside)
  }

  /// What `swap` does where the file system cannot swap.
  static func swapInSteps(_ source: String, with target: String, aside: String) throws {
    try remove(aside)
    if Foundation.link(target, aside) != 0 { try rename(target, to: aside) }
    try rename(source, to: target)
    try rename(aside, to: source)
  }

  /// Removes a file, a link or a folder with all it holds; what is not there is removed already.
  ///
  /// From folder to folder by their descriptors, and through no link: what is put in a folder's place meanwhile leads nowhere.
  package static func remove(_ path: String) throws {
    let (parent, name) = (parent(of: path), (path as NSString).lastPathComponent)
    let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw OutputFailure.error("remove", path) }
      return
    }
    defer { close(descriptor) }
    try remove(name, in: descriptor, at: path)
  }

  /// - Parameters:
  ///   - folder: the descriptor of the folder that `name` stands in.
  ///   - path: for messages.
  private static func remove(_ name: String, in folder: Int32, at path: String) throws {
    if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return }
    // Linux says EISDIR, others EPERM.
    guard errno == EISDIR || errno == EPERM else { throw OutputFailure.error("remove", path) }
    let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { throw OutputFailure.error("remove", path) }
    defer { close(inner) }
    let list = dup(inner)
    for below in try names(in: list >= 0 ? fdopendir(list) : nil, path) {
      try remove(below, in: inner, at: (path as NSString).appendingPathComponent(below))
    }
    guard unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      throw OutputFailure.error("remove", path)
    }
  }

  /// Makes a symbolic link to `target`, a name beside it, where there is nothing yet.
  package static func makeLink(_ link: String, to target: String) throws {
    guard symlink(target, link) == 0 else { throw OutputFailure.error("create", link) }
  }

  /// Points `link` at `target` (a name beside it): a reader sees the old target or the new.
  package static func link(_ link: String, to target: String) throws {
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != target else { return }
    let beside = hiddenSibling(of: link)
    try makeLink(beside, to: target)
    try rename(beside, to: link)
    try sync(parent(of: link))
  }

  /// The names in a folder, sorted by bytes; none where there is no folder.
  package static func names(in path: String) throws -> [String] {
    let folder = opendir(path)
    if folder == nil, errno == ENOENT { return [] }
    return try names(in: folder, path)
  }

  /// The names in an open folder, which is closed.
  private static func names(in folder: OpaquePointer?, _ path: String) throws -> [String] {
    guard let folder else { throw OutputFailure.error("read", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw OutputFailure.error("read", path) }
        return names.filter { $0 != "." && $0 != ".." }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
  }

  /// Whether anything stands at the path, a broken link included.
  package static func exists(_ path: String) throws -> Bool { try status(of: path) != nil }

  /// Whether a file stands at the path, and no link to one.
  package static func isFile(_ path: String) throws -> Bool {
    try status(of: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// Whether a folder stands at the path, and no link to one.
  package static func isDirectory(_ path: String) throws -> Bool {
    guard let status = try status(of: path) else { return false }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// Tells whether what stands at a path is what stood there, or elsewhere, before.
  package struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// What stands at the path; nil where nothing does.
  package static func identity(of path: String) throws -> Identity? {
    try status(of: path).map { Identity(device: UInt64($0.st_dev), inode: UInt64($0.st_ino)) }
  }

  /// A name in the same folder, hidden and taken by nobody, for a file until it takes its place.
  package static func hiddenSibling(of path: String) -> String {
    let (parent, name) = (parent(of: path), (path as NSString).lastPathComponent)
    let own = String(UInt64.random(in: .min ... .max), radix: 36)
    return (parent as NSString).appendingPathComponent(".\(name).\(own).new")
  }

  private static func status(of path: String) throws -> stat? {
    var found = stat()
    if lstat(path, &found) == 0 { return found }
    guard errno == ENOENT || errno == ENOTDIR else { throw OutputFailure.error("read", path) }
    return nil
  }
}
