import Foundation

/// A file that is written from its first byte to its last, as it is or packed with gzip.
package final class FileWriter {
  private let path: String
  private var descriptor: Int32
  /// `finish` waits until the disk has the file.
  private let isDurable: Bool
  /// Nil where the file is not packed.
  private let gzip: GzipWriter?
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 16

  /// Creates a file that is on the disk, whole, once `finish` returns. What stands there already, a symbolic link too,
  /// is an error and left alone.
  ///
  /// It may be read by its owner and the owner's group (0640, or less where the umask says so): results of a run are
  /// nobody else's business.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  package convenience init(creating path: String, isPacked: Bool = false) throws {
    try self.init(path, O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o640, isDurable: true, isPacked)
  }

  /// Creates a file that can be made again, or empties the one that is there; nobody waits for the disk.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  package convenience init(replacing path: String, isPacked: Bool = false) throws {
    try self.init(path, O_CREAT | O_TRUNC, mode: 0o666, isDurable: false, isPacked)
  }

  /// Creates a file that can be made again, for its owner and the owner's group; nobody waits for the disk. What stands
  /// there already is an error and left alone.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  package convenience init(beginning path: String) throws {
    try self.init(path, O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o640, isDurable: false, false)
  }

  private init(_ path: String, _ flags: Int32, mode: mode_t, isDurable: Bool, _ isPacked: Bool) throws {
    self.path = path
    self.isDurable = isDurable
    gzip = isPacked ? GzipWriter() : nil
    descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, mode)
    guard descriptor >= 0 else { throw OutputFailure.error("create", path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds bytes at the end.
  package func write(_ bytes: some Sequence<UInt8>) throws {
    guard let gzip else { return try append(bytes) }
    try gzip.write(Array(bytes)) { try append($0) }
  }

  /// Appends the bytes of a file as they lie there; the path may lead into a zip archive.
  ///
  /// - Throws: `OfferliftError`, as `write`; 66 where the file cannot be opened; `CorruptFile` of a damaged archive.
  package func append(contentsOf path: String) throws {
    try PackedBytes.forEachPiece(of: path, displayName: path) { try write($0) }
  }

  /// Ends the gzip member: what is written from here on is another one.
  package func endMember() throws { try gzip?.finish { try append($0) } }

  /// Writes what is left and closes the file.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path, where not all of it could be written.
  package func finish() throws {
    try endMember()
    try flush()
    guard !isDurable || fsync(descriptor) == 0 else { throw OutputFailure.error("write", path) }
    let status = close(descriptor)
    descriptor = -1
    guard status == 0 else { throw OutputFailure.error("write", path) }
  }

  private func append(_ bytes: some Sequence<UInt8>) throws {
    // One copy where the bytes lie together, as those of a text do: it need not be asked for each.
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable { buffer.append(contentsOf: $0) }
    if isCopied == nil { buffer.append(contentsOf: bytes) }
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private func flush() throws {
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw OutputFailure.error("write", path) }
      rest = rest.dropFirst(written)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

// MARK: - Whole files

extension FileWriter {
  /// Writes a whole new file and waits until the disk has it; as `init(creating:)`.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try FileWriter(creating: path)
    try file.write(bytes)
    try file.finish()
  }

  /// Writes a whole file that can be made again; as `init(replacing:)`.
  package static func write(_ bytes: some Sequence<UInt8>, replacing path: String) throws {
    let file = try FileWriter(replacing: path)
    try file.write(bytes)
    try file.finish()
  }

  /// Puts a whole file in the place of another, and waits until the disk has it: a reader sees the old bytes or the
  /// new.
  package static func replace(_ path: String, with bytes: some Sequence<UInt8>) throws {
    let beside = Folder.hiddenSibling(of: path)
    do {
      try write(bytes, to: beside)
      try Folder.rename(beside, to: path)
    } catch {
      try? Folder.remove(beside)
      throw error
    }
    try Folder.sync(Folder.parent(of: path))
  }
}
