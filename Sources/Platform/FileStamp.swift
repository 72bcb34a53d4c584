import Foundation

/// What tells without reading it that a file is the one that was read: which one it is, how large, when it was last written, and
/// when anything of it last changed, which nobody sets.
package struct FileStamp: Equatable, Codable, Sendable {
  private let file: FileState
  /// In seconds since 1970, and nanoseconds.
  private let changed: [Int]

  /// Of the file that a path leads to; nil where none stands there.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    file = FileState(status)
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  /// Whether the file had not changed for a while at a time: one that is written on within the clock's own grain looks as
  /// it did.
  ///
  /// - Parameter seconds: since 1970.
  package func isSettled(at seconds: Double) -> Bool { Double(changed[0]) + Self.grain < seconds }

  /// Coarser than any file system's clock, in seconds.
  private static let grain = 3.0
}
