import Domain
import Foundation

/// A file that is read at any place, as it lies on the disk.
package final class RandomAccessFile: Sendable {
  private let descriptor: Int32
  private let displayName: String
  /// In bytes, as it was opened; no more than the limit.
  package let size: Int64

  /// - Parameter limit: behind how many bytes the file is taken to end; nil: where it does.
  /// - Throws: `OfferliftError`, exit 66, where the file cannot be opened or is none.
  package init(_ path: String, displayName: String, limit: Int64? = nil) throws {
    self.displayName = displayName
    descriptor = try RegularFile.open(path, displayName: displayName)
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? min(max(Int64(status.st_size), 0), limit ?? .max) : 0
  }

  deinit {
    close(descriptor)
  }

  /// The bytes from `start` on, `count` of them, or as many as there are.
  ///
  /// - Throws: `OfferliftError`, exit 74.
  package func read(from start: Int64, count: Int) throws -> [UInt8] {
    let count = Int(min(Int64(max(count, 0)), max(size - max(start, 0), 0)))
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { room, done in
      while done < count {
        let found = pread(descriptor, room.baseAddress! + done, count - done, off_t(start + Int64(done)))
        if found < 0, errno == EINTR { continue }
        if found < 0 { failure = errno }
        guard found > 0 else { break }
        done += found
      }
    }
    if let failure {
      throw ReadFailure.error(displayName, byte: start, code: failure)
    }
    return bytes
  }
}
