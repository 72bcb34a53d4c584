import Domain
import Foundation
import Jobs
import Platform

/// A path with wildcards, as a job writes it: `*`, `?` and `[…]` stand for letters of one name, `**` for folders of any
/// depth, none included.
///
/// The folder that it is relative to is taken as it is, whatever letters its name has. Names that begin with a point are
/// found only by a pattern that begins so.
package struct PathPattern {
  /// Where it begins, without a slash at its end.
  private let root: String
  private let parts: [Substring]

  /// - Parameter folder: what a path is relative to that does not begin at the root.
  init(_ path: String, in folder: String) {
    root = path.hasPrefix("/") ? "" : folder
    // Several in a row stand for what one does.
    let parts = path.split(separator: "/").reduce(into: [Substring]()) { parts, part in
      if part != "**" || parts.last != "**" { parts.append(part) }
    }
    // At the end of a path it stands for the files.
    self.parts = parts.last == "**" ? parts + ["*"] : parts
  }

  /// A folder on the way that cannot be looked into.
  struct Unreadable: Error {
    let folder: String
  }

  /// What has been found, and which folders were looked into for which rest of the path: several `**` lead to one folder in
  /// many ways, of which each would find the same.
  private struct Search {
    struct Step: Hashable {
      let folder: String
      let rest: Int
    }

    var found: Set<String> = []
    var steps: Set<Step> = []
  }

  /// What it finds, folders among them, in order of the bytes of their paths.
  ///
  /// - Throws: `Unreadable`.
  func matches() throws(Unreadable) -> [String] {
    var search = Search()
    try walk(root, parts[...], above: [], &search)
    return search.found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Looks for the rest of the path from a folder on.
  ///
  /// - Parameter above: the folders that `**` has been through: a link may lead back to one of them.
  private func walk(
    _ folder: String, _ rest: ArraySlice<Substring>, above: [FileIdentity], _ search: inout Search
  ) throws(Unreadable) {
    guard let part = rest.first else {
      search.found.insert(folder)
      return
    }
    if part == "**" { return try walkAll(folder, rest, above: above, &search) }
    guard Self.isPattern(part) else {
      let path = "\(folder)/\(Self.unescaped(part))"
      if try Self.isThere(path, in: folder) { try walk(path, rest.dropFirst(), above: [], &search) }
      return
    }
    for name in try Self.names(in: folder) where fnmatch(String(part), name, FNM_PERIOD) == 0 {
      let path = "\(folder)/\(name)"
      let leads = rest.count == 1 ? true : try Self.isFolder(path, in: folder)
      if leads { try walk(path, rest.dropFirst(), above: [], &search) }
    }
  }

  /// Looks in a folder and in all below it.
  private func walkAll(
    _ folder: String, _ rest: ArraySlice<Substring>, above: [FileIdentity], _ search: inout Search
  ) throws(Unreadable) {
    let own: FileIdentity?
    do { own = try FileIdentity(lookingAt: folder.isEmpty ? "/" : folder) } catch { throw Unreadable(folder: folder) }
    guard let own else { return }
    guard !above.contains(own) else { return }
    guard search.steps.insert(Search.Step(folder: folder, rest: rest.count)).inserted else { return }
    try walk(folder, rest.dropFirst(), above: [], &search)
    for name in try Self.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if try Self.isFolder(path, in: folder) { try walkAll(path, rest, above: above + [own], &search) }
    }
  }

  /// A part of a path that may stand for several names.
  package static func isPattern(_ part: some StringProtocol) -> Bool { part.contains { "*?[".contains($0) } }

  private static func unescaped(_ part: Substring) -> String {
    var plain = ""
    var rest = part
    while let first = rest.popFirst() { plain.append(first == "\\" ? rest.popFirst() ?? first : first) }
    return plain
  }

  /// The names in a folder; none where it is no folder.
  private static func names(in folder: String) throws(Unreadable) -> [String] {
    guard let stream = opendir(folder.isEmpty ? "/" : folder) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw Unreadable(folder: folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw Unreadable(folder: folder) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { position in
        position.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Whether anything lies at a path, be it a link.
  private static func isThere(_ path: String, in folder: String) throws(Unreadable) -> Bool {
    var status = stat()
    return try isKnown(lstat(path, &status), folder)
  }

  /// Whether a path leads to a folder.
  private static func isFolder(_ path: String, in folder: String) throws(Unreadable) -> Bool {
    var status = stat()
    return try isKnown(stat(path, &status), folder) && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the system has told of what lies in a folder; false where that is nothing. What it does not tell may be a file.
  private static func isKnown(_ result: Int32, _ folder: String) throws(Unreadable) -> Bool {
    if result == 0 { return true }
    guard UnseenPath.last == nil else { throw Unreadable(folder: folder) }
    return false
  }
}

/// What tells a file on this machine's disks from every other, whatever it is called.
package struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64
  /// In bytes.
  private(set) var size: Int64
  /// A file, and no folder, pipe or device.
  package let isFile: Bool
  package let isFolder: Bool
  /// Of a member of a zip archive its number there.
  private var member: UInt64?

  /// What a path leads to, by way of links; nil where there is nothing, or the system does not say what.
  package init?(ofFileAt path: String) {
    guard let found = try? FileIdentity(lookingAt: path) else { return nil }
    self = found
  }

  /// What a path leads to, by way of links; nil where there is nothing.
  ///
  /// - Throws: `UnseenPath`.
  package init?(lookingAt path: String) throws(UnseenPath) {
    if let status = try Self.status(of: path) {
      self.init(status)
      return
    }
    guard let position = try ZipArchive.Position(lookingAt: path), let status = try Self.status(of: position.archive),
      let about = try Self.about(position)
    else { return nil }
    self.init(status)
    (size, member) = (about.size, about.number)
  }

  /// What an archive's list says of a member; nil where it says nothing, or is damaged.
  private static func about(_ position: ZipArchive.Position) throws(UnseenPath) -> (size: Int64, number: UInt64)? {
    do { return try position.about() } catch is CorruptFile { return nil } catch { throw UnseenPath(code: EIO) }
  }

  private static func status(of path: String) throws(UnseenPath) -> stat? {
    var status = stat()
    if stat(path, &status) == 0 { return status }
    if let unseen = UnseenPath.last { throw unseen }
    return nil
  }

  private init(_ status: stat) {
    (device, number, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    (isFile, isFolder) = (status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IFMT == S_IFDIR)
  }
}
