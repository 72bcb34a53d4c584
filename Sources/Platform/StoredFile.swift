import Domain
import Foundation

/// Files that stand on the disk already: they are read, locked, waited for.
package enum StoredFile {
  /// Opens the lock file at `path`, making it where there is none, and returns its descriptor.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says.
  package static func openLock(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw OutputFailure.error("create", path) }
    return descriptor
  }

  /// Waits until the disk has a file that somebody else has written.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says.
  package static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure.error("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw OutputFailure.error("write", path) }
  }

  /// Refuses what stands in a file's place and is none: whoever reads a pipe may wait for ever. Links are followed.
  ///
  /// - Throws: `OfferliftError` (74).
  package static func refuseOther(_ path: String) throws {
    if let kind = RegularFile.kind(of: path) { throw refusal(kind, path) }
  }

  private static func refusal(_ kind: RegularFile.Kind, _ path: String) -> OfferliftError {
    OfferliftError(.inputOutput, "\(path) is \(kind.rawValue), and no file. Move it away and run again.")
  }

  /// All bytes of a file.
  ///
  /// - Throws: as `read`.
  package static func bytes(of path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path) { bytes += $0 }
    return bytes
  }

  /// Hands on the bytes of a file, piece by piece.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says or where it is no file, or what `body` throws.
  package static func read(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    // A pipe is opened without waiting for whoever writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw OutputFailure.error("read", path) }
    defer { close(descriptor) }
    if let kind = RegularFile.kind(of: descriptor) { throw refusal(kind, path) }
    while true {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        let found = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        failure = found < 0 ? errno : 0
        count = max(found, 0)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw OutputFailure.error("read", path, code: failure) }
      guard !piece.isEmpty else { return }
      try body(piece)
    }
  }
}
