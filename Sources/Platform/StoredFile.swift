import Domain
import Foundation

/// Files of ours that stand on the disk already: they are read, locked, waited for. What lies in the place of one, a link, a
/// pipe, a device, is no file of ours; none is waited for without end.
package enum StoredFile {
  /// Opens the lock file at `path`, making it where there is none, and returns its descriptor. It is its owner's alone: who
  /// may read it could hold it.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says.
  package static func openLock(_ path: String) throws -> Int32 {
    let descriptor = try opened(path, O_RDWR | O_CREAT, "create")
    // Versions up to 0.2.0 made it readable for the group.
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Locks an open file, and waits for whoever else has it, though not for ever.
  ///
  /// - Parameters:
  ///   - operation: `LOCK_EX` or `LOCK_SH`.
  ///   - path: for messages.
  ///   - patience: for so many seconds it is waited for.
  /// - Throws: `OfferliftError` 75 where another program has it for more than `patience`, 73 or 74 where it cannot be locked.
  package static func lock(
    _ descriptor: Int32, _ operation: Int32, _ path: String, patience: Double = 60
  ) throws {
    let end = Date().addingTimeInterval(patience)
    while flock(descriptor, operation | LOCK_NB) != 0 {
      guard [EWOULDBLOCK, EINTR].contains(errno) else { throw OutputFailure.error("lock", path) }
      guard Date() < end else {
        throw OfferliftError(
          .tryAgainLater,
          "\(path) has been locked by another program for \(Int(patience)) seconds. fuser \(ShellText.word(path)) says which; "
            + "wait for it to end and run again.")
      }
      usleep(20_000)
    }
  }

  /// Waits until the disk has a file that somebody else has written.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says.
  package static func sync(_ path: String) throws {
    let descriptor = try opened(path, O_RDONLY, "open")
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

  /// The descriptor of a file; of none that is reached by a link, and of nothing but a file.
  private static func opened(_ path: String, _ flags: Int32, _ verb: String) throws -> Int32 {
    let descriptor = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw OutputFailure.error(verb, path) }
    guard let kind = RegularFile.kind(of: descriptor) else { return descriptor }
    close(descriptor)
    throw refusal(kind, path)
  }

  /// Hands on the bytes of a file, piece by piece.
  ///
  /// - Throws: `OfferliftError` (73 or 74) with what the system says or where it is no file, or what `body` throws.
  package static func read(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    let descriptor = try opened(path, O_RDONLY, "read")
    defer { close(descriptor) }
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
