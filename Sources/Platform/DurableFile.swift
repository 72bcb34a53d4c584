import Foundation

/// A new file that is on the disk, whole, once `finish` returns.
///
/// It may be read by its owner and the owner's group (0640, or less where the umask says so): results of a run are
/// nobody else's business.
package final class DurableFile {
  private let path: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 16
  private static let mode: mode_t = 0o640

  /// Creates the file. What stands there already, a symbolic link too, is an error and left alone.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  package init(creating path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Self.mode)
    guard descriptor >= 0 else { throw OutputFailure.error("create", path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds bytes at the end.
  package func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Waits until the disk has everything, then closes.
  package func finish() throws {
    try flush()
    guard fsync(descriptor) == 0 else { throw OutputFailure.error("write", path) }
    let status = close(descriptor)
    descriptor = -1
    guard status == 0 else { throw OutputFailure.error("write", path) }
  }

  /// Writes a whole file at once.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try DurableFile(creating: path)
    try file.write(bytes)
    try file.finish()
  }

  /// Puts a whole file in the place of another: a reader sees the old bytes or the new.
  package static func replace(_ path: String, with bytes: some Sequence<UInt8>) throws {
    let beside = Folder.hiddenSibling(of: path)
    do {
      try write(bytes, to: beside)
      try Folder.rename(beside, to: path)
    } catch {
      try? Folder.remove(beside)
      throw error
    }
    try Folder.sync((path as NSString).deletingLastPathComponent)
  }

  /// Opens the lock file at `path`, making it where there is none.
  package static func openLock(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw OutputFailure.error("create", path) }
    return descriptor
  }

  /// Waits until the disk has a file that somebody else has written.
  package static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure.error("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw OutputFailure.error("write", path) }
  }

  /// Hands on the bytes of a file, piece by piece.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says, or what `body` throws.
  package static func read(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure.error("read", path) }
    defer { close(descriptor) }
    while true {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: bufferSize) { buffer, count in
        let found = Foundation.read(descriptor, buffer.baseAddress, bufferSize)
        failure = found < 0 ? errno : 0
        count = max(found, 0)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw OutputFailure.error("read", path, code: failure) }
      guard !piece.isEmpty else { return }
      try body(piece)
    }
  }

  private func flush() throws {
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = unsafeWrite(rest)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw OutputFailure.error("write", path) }
      rest = rest.dropFirst(written)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func unsafeWrite(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
  }
}
