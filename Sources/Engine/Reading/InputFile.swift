import Domain
import Foundation
import Jobs
import Platform

/// One file of an input: where it lies and what it is called.
package struct InputFile: Sendable {
  package let path: String
  /// As messages and `inputs.csv` have it: relative to the job file's folder where it was written so.
  package let displayName: String
  /// What of it is read.
  var part = Part.all
  /// How a task takes part in reading it; nil where it reads all of it by itself.
  var seat: FileSeat?

  package init(path: String, displayName: String) {
    self.path = path
    self.displayName = displayName
  }

  /// A file whose bytes come from elsewhere.
  ///
  /// - Parameter limit: as many of them as are read; nil is all.
  package init(_ feed: any ByteFeed, displayName: String, limit: Int64? = nil) {
    self.init(path: "", displayName: displayName)
    part = .fed(feed, limit: limit)
  }

  /// A part of a file.
  enum Part: Sendable {
    case all
    /// As many bytes, from the first on.
    case beginning(Int64)
    /// The rows in which something stands that is sought, with rows beside them.
    case search(RowSearch)
    /// One row by itself, as if it were the file.
    case row(SingleRow)
    /// The row of that number of an SQLite table, from 1.
    case numbered(Int)
    /// Bytes that come from elsewhere, as many of them as the limit says; nil is all.
    case fed(any ByteFeed, limit: Int64?)
  }

  /// Behind how many bytes it is taken to end; nil: where it does.
  var limit: Int64? {
    if case .beginning(let limit) = part { limit } else { nil }
  }

  /// Its rows are read from its first byte on, each where it stands.
  var isWhole: Bool {
    switch part {
    case .all, .beginning, .fed: true
    case .search, .row, .numbered: false
    }
  }

  /// How many bytes of it are read; 0 where that is not known.
  package var size: Int64 {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64 ?? 0
    return min(size, limit ?? .max)
  }

  /// One row of a file, with what it takes to read it.
  struct SingleRow: Sendable {
    /// The file's header, where it has one, and the row.
    var bytes: [UInt8]
    /// The names of the file's columns or members.
    var names: [String]
  }

  /// - Throws: as `ByteSource.init(path:displayName:limit:)`.
  func open() throws -> ByteSource {
    switch part {
    case .row(let row): ByteSource(row.bytes, displayName: displayName)
    case .beginning(let limit): try ByteSource(path: path, displayName: displayName, limit: limit)
    case .fed(let feed, let limit): try ByteSource(feed, displayName: displayName, limit: limit)
    case .all, .search, .numbered: try ByteSource(path: path, displayName: displayName)
    }
  }

  /// Whether the file's first `count` bytes have a checksum; a file that is shorter does not.
  ///
  /// - Throws: `OfferliftError`, as `ByteSource`.
  package func begins(with count: Int64, crc32: UInt32) throws -> Bool {
    let source = try ByteSource(path: path, displayName: displayName, limit: count)
    try source.drain()
    return source.bytesRead == count && source.crc32 == crc32
  }

  /// The names of its columns or members, where they are known before it is read.
  var knownNames: [String]? {
    if case .row(let row) = part { row.names } else { nil }
  }
}

extension ProgressMeter {
  /// Says that the files will be read from beginning to end in this stage.
  func expect(_ files: some Sequence<InputFile>) {
    expect(files.reduce(0) { $0 + $1.size })
  }
}

extension TableInput {
  /// The input's files in path order.
  ///
  /// - Throws: `OfferliftError`, exit 66, where a path or glob matches nothing and is not optional, and where what it
  ///   matches cannot be read as a file.
  package func files(relativeTo jobFile: URL) throws -> [InputFile] {
    if let brought {
      return brought.compactMap { file(of: $0.name, at: $0.path) }
    }
    if isElsewhere {
      throw OfferliftError(
        .inputMissing,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which is not on this machine: "
          + "only Apache Spark can read it: offerlift run --engine spark.")
    }
    let folder = jobFile.deletingLastPathComponent().path
    let pattern = localPath.hasPrefix("/") ? localPath : folder + "/" + localPath
    let found = try glob(pattern, in: folder)
    guard !found.isEmpty || isOptional else {
      if Self.isFolder(pattern) {
        throw OfferliftError(
          .inputMissing,
          "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which is a folder. Name the files in it: "
            + "\(Self.files(in: path)).")
      }
      throw OfferliftError(
        .inputMissing,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which matches no file in \(folder). "
          + "Correct the path, or set optional: true.")
    }
    return found.compactMap { file(of: displayName(of: $0, in: folder), at: $0) }
  }

  /// A file of the input; nil where it is none of those that are read.
  private func file(of name: String, at path: String) -> InputFile? {
    var file = InputFile(path: path, displayName: name)
    guard let extents else { return file }
    guard let extent = extents[name] else { return nil }
    if let limit = extent.limit { file.part = .beginning(limit) }
    return file
  }

  /// Its path has the form of an address, `s3a://bucket/purchases/*.gz`: another machine's or a store's.
  package var isElsewhere: Bool { localPath.contains("://") }

  /// The path as this machine's disks have it: `file:///srv/logs/*.gz` is `/srv/logs/*.gz`.
  package var localPath: String {
    let scheme = "file://"
    return path.hasPrefix(scheme + "/") ? String(path.dropFirst(scheme.count)) : path
  }

  /// What messages and `inputs.csv` call a file at an absolute path of this machine.
  package func displayName(of file: String, relativeTo jobFile: URL) -> String {
    displayName(of: file, in: jobFile.deletingLastPathComponent().path)
  }

  private func displayName(of file: String, in folder: String) -> String {
    guard !path.hasPrefix("/"), file.hasPrefix(folder + "/") else { return file }
    return String(file.dropFirst(folder.count + 1))
  }

  /// A path is a folder's.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// What to write in place of a folder: `logs/*.csv`.
  package static func files(in folder: String) -> String {
    "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/*.csv"
  }

  /// Files the pattern matches, ordered by the bytes of their paths; folders are passed over.
  ///
  /// - Throws: `OfferliftError`, exit 66: a file left out without a word would be missing from every figure.
  private func glob(_ pattern: String, in folder: String) throws -> [String] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: pattern, isDirectory: &isFolder) {
      return isFolder.boolValue ? [] : [pattern]
    }
    var result = glob_t()
    defer { globfree(&result) }
    let code = Foundation.glob(pattern, GLOB_NOSORT, { _, code in code == ENOENT || code == ENOTDIR ? 0 : 1 }, &result)
    guard code == 0 || code == GLOB_NOMATCH else {
      throw OfferliftError(
        .inputMissing,
        "\(name) names \"\(path)\", and a folder on the way cannot be looked into. Make it readable, or correct the path."
      )
    }
    return try (0..<Int(result.gl_pathc))
      .compactMap { result.gl_pathv[$0].map { String(cString: $0) } }
      .filter { try isFile($0, in: folder) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a match is a file: false of a folder.
  private func isFile(_ match: String, in folder: String) throws -> Bool {
    let shown = displayName(of: match, in: folder)
    var status = stat()
    guard stat(match, &status) == 0 else {
      throw OfferliftError(
        .inputMissing, "\(shown) is a link to nothing. Remove it, or put the file back that it led to.")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return true
    case S_IFDIR: return false
    default: throw OfferliftError(.inputMissing, "\(shown) is no file but a pipe or a device. Name files alone.")
    }
  }
}
