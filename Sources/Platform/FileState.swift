import Foundation

/// A file as it is at a moment: which one, how large and when last written. One that is written on is another then.
package struct FileState: Equatable, Codable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// In bytes.
  package let size: Int64
  /// In seconds since 1970, and nanoseconds.
  private let modified: [Int]

  /// What a path leads to, by way of links; nil where nothing stands there.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    (device, number, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  /// When it was last written, in seconds since 1970.
  package var writtenAt: Double { Double(modified[0]) + Double(modified[1]) / 1e9 }

  /// Size and time of the last writing: `4711-1774915200.118000000`.
  package var text: String { "\(size)-\(modified[0]).\(modified[1])" }

  /// Says of a file that it has been written now; where that cannot be it stays as it is.
  package static func touch(_ path: String) { utimensat(AT_FDCWD, path, nil, 0) }

  /// Whether the file is as large and was last written at the same time, be it as another machine sees it.
  package func isWritten(as other: FileState) -> Bool { size == other.size && modified == other.modified }
}
