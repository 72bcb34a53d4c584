import Foundation
import Synchronization

/// Room on a disk for what does not fit the memory: bytes are added at the end and read back from anywhere.
///
/// No name leads to it, so that it is gone with the process, however that ends. Any number of threads may use it at
/// once.
package final class ScratchFile: Sendable {
  /// The folder it lies in.
  package let folder: String
  /// What to do where no file can lie there.
  private let remedy: String
  private let descriptor: Int32
  private let end = Atomic<Int64>(0)

  /// Makes one in a folder, or in the one that the environment's `TMPDIR` names.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the folder.
  package init(in folder: String, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let wanted = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    self.folder = wanted ?? folder
    remedy =
      wanted == nil
      ? "Let the environment's TMPDIR name a folder that can be written."
      : "The environment's TMPDIR names it: name a folder that can be written, or unset it."
    guard let descriptor = Self.open(self.folder) else {
      throw OutputFailure.error("create a temporary file in", self.folder, remedy: remedy)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Where its bytes can be read as those of a file, as long as it lives.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// How many bytes have been added.
  package var size: Int64 { end.load(ordering: .relaxed) }

  /// Adds bytes and returns where they begin.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the folder, as where its disk is full.
  package func append(_ bytes: [UInt8]) throws -> Int64 {
    let start = end.add(Int64(bytes.count), ordering: .relaxed).oldValue
    try bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = pwrite(
          descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]).baseAddress, bytes.count - done,
          off_t(start + Int64(done)))
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw OutputFailure.error("write a temporary file in", folder, remedy: remedy) }
        done += written
      }
    }
    return start
  }

  /// Fills `buffer` with the bytes from `start` on, as many as it has room for; they have been added before.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the folder.
  package func read(from start: Int64, into buffer: inout [UInt8]) throws {
    try buffer.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < buffer.count {
        let found = pread(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).baseAddress, buffer.count - done,
          off_t(start + Int64(done)))
        if found < 0, errno == EINTR { continue }
        guard found > 0 else {
          throw OutputFailure.error(
            "read a temporary file in", folder, code: found == 0 ? EIO : errno, remedy: remedy)
        }
        done += found
      }
    }
  }

  /// Nil where there can be none; `errno` says why.
  private static func open(_ folder: String) -> Int32? {
    let nameless = openTemporary(folder)
    if nameless >= 0 { return nameless }
    // Not every file system has files without names; there the name is taken away at once. On a disk that fails, it might not be.
    guard lacksNamelessFiles.contains(errno) else { return nil }
    var path = Array("\(folder)/.offerlift-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    return descriptor
  }

  /// What file systems and kernels say that have no files without names. Source: open(2), under O_TMPFILE.
  private static let lacksNamelessFiles = [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS]

  private static func openTemporary(_ folder: String) -> Int32 {
    Foundation.open(folder, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
  }
}
