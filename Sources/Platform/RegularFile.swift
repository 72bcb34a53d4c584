import Domain
import Foundation

/// Opens files to be read, and nothing else: of a pipe nobody knows whether anyone writes to it, and a device may go on for
/// ever.
package enum RegularFile {
  /// The descriptor of a file, which the caller closes.
  ///
  /// - Parameters:
  ///   - path: where it lies.
  ///   - displayName: the path for messages.
  /// - Throws: `OfferliftError`, exit 66, where it cannot be opened or is no file; `errno` is then as `open` left it.
  static func open(_ path: String, displayName: String) throws -> Int32 {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      defer { errno = code }
      throw OfferliftError(
        .inputMissing,
        "\(displayName): cannot be opened (\(systemMessage(code))); check the path and its rights."
          + (code == ENOENT ? NearestPath.hint(path) : ""))
    }
    guard let kind = kind(of: descriptor) else { return descriptor }
    close(descriptor)
    errno = 0
    throw OfferliftError(.inputMissing, "\(displayName) is \(kind.rawValue), and no file. Name a file.")
  }

  /// All bytes of a file that is small: a job, a certificate.
  ///
  /// - Parameter limit: how many bytes it may have.
  /// - Throws: `OfferliftError`, exit 66 where it cannot be opened or is no file, 65 where it is larger, 74 where it cannot
  ///   be read.
  package static func bytes(of path: String, displayName: String, limit: Int = 256 << 20) throws -> [UInt8] {
    let file = try FileReader(path, displayName: displayName)
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let start = bytes.count
      let count = try file.read(into: &bytes, at: start, upTo: max(Int(clamping: file.bytesLeft), 1 << 12))
      bytes.removeLast(bytes.count - start - count)
      if count == 0 { return bytes }
    }
    throw OfferliftError(
      .badData, "\(displayName) has more than \(limit >> 20) MiB, which nobody writes there. Is it the right file?")
  }

  /// What stands at a path in place of a file.
  ///
  /// - Parameter path: links are followed.
  /// - Returns: a few words, `a pipe`; nil where a file stands there, or nothing.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    return stat(path, &status) == 0 ? Kind(status) : nil
  }

  /// What a descriptor is of; nil of a file.
  static func kind(of descriptor: Int32) -> Kind? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Kind(status) : nil
  }

  /// What is no file.
  package enum Kind: String, Sendable {
    case folder = "a folder"
    case pipe = "a pipe"
    case socket = "a socket"
    case device = "a device"

    /// Nil of a file.
    fileprivate init?(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: return nil
      case S_IFDIR: self = .folder
      case S_IFIFO: self = .pipe
      case S_IFSOCK: self = .socket
      default: self = .device
      }
    }
  }
}
