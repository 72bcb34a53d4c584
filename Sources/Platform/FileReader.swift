import Domain
import Foundation

/// A file that is read from its first byte on, as it lies on the disk.
package final class FileReader {
  private let descriptor: Int32
  private let displayName: String
  private var position: Int64 = 0

  /// - Throws: `OfferliftError`, exit 66, where the file cannot be opened or is none.
  package init(_ path: String, displayName: String) throws {
    self.displayName = displayName
    descriptor = try RegularFile.open(path, displayName: displayName)
  }

  deinit {
    close(descriptor)
  }

  /// How many bytes have not been read; 0 where the system does not tell.
  package var bytesLeft: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? max(Int64(status.st_size) - position, 0) : 0
  }

  /// Goes to a byte, to be read next, also of a file that has lost its name since it was opened.
  ///
  /// - Throws: `OfferliftError`, exit 74, where the file is none that can be read twice.
  package func move(to byte: Int64) throws {
    guard lseek(descriptor, off_t(byte), SEEK_SET) == byte else {
      throw OfferliftError(
        .inputOutput, "\(displayName): cannot be read again (\(systemMessage())). Run again when the disk is well.")
    }
    position = byte
  }

  /// Fills the first bytes of `buffer` with the file's next ones, `count` of them or as many as there are, and returns
  /// how many that is. The buffer grows where it is too small.
  ///
  /// - Throws: `OfferliftError`, exit 74.
  package func read(into buffer: inout [UInt8], at start: Int = 0, upTo count: Int) throws -> Int {
    if buffer.count < start + count { buffer += repeatElement(0, count: start + count - buffer.count) }
    var done = 0
    while done < count {
      let found = buffer.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress! + start + done, count - done)
      }
      if found < 0, errno == EINTR { continue }
      guard found >= 0 else {
        throw ReadFailure.error(displayName, byte: position)
      }
      if found == 0 { break }
      done += found
      position += Int64(found)
    }
    return done
  }
}
