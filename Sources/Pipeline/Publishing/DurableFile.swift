import Foundation

/// A new file that is on the disk, whole, once `finish` returns.
final class DurableFile {
  private let path: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 16

  /// Creates the file, or empties it where it is there.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  init(creating path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw OutputFailure.error("create", path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds bytes at the end.
  func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Waits until the disk has everything, then closes.
  func finish() throws {
    try flush()
    guard fsync(descriptor) == 0 else { throw OutputFailure.error("write", path) }
    let status = close(descriptor)
    descriptor = -1
    guard status == 0 else { throw OutputFailure.error("write", path) }
  }

  /// Writes a whole file at once.
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try DurableFile(creating: path)
    try file.write(bytes)
    try file.finish()
  }

  /// Puts a whole file in the place of another: a reader sees the old bytes or the new.
  static func replace(_ path: String, with bytes: some Sequence<UInt8>) throws {
    let beside = Folder.hiddenSibling(of: path)
    try write(bytes, to: beside)
    try Folder.rename(beside, to: path)
    try Folder.sync((path as NSString).deletingLastPathComponent)
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

/// Why output could not be written, with the exit code that tells the two cases apart.
enum OutputFailure {
  /// The error for `errno` as it stands: 73 if the place is wrong, 74 if the disk is.
  static func error(_ verb: String, _ path: String, code: Int32 = errno) -> OfferliftError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT:
      return OfferliftError(
        .inputOutput,
        "cannot \(verb) \(path): \(reason). Free space there and run again.")
    case EIO, ESTALE, EMFILE, ENFILE, ENOMEM:
      return OfferliftError(
        .inputOutput, "cannot \(verb) \(path): \(reason). Run again when the disk is well.")
    default:
      return OfferliftError(
        .cannotCreateOutput,
        "cannot \(verb) \(path): \(reason). Give a folder that can be written, with --output or the job's output:."
      )
    }
  }
}
