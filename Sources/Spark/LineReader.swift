import Foundation

/// The lines of a stream, one after another.
final class LineReader {
  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var next = 0
  private static let pieceSize = 1 << 20

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// The next line without its end; nil at the end. A last line without an end is one, too.
  func line() throws -> ArraySlice<UInt8>? {
    var searched = next
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { next = end + 1 }
        return buffer[next..<end]
      }
      searched = buffer.count - next
      buffer.removeFirst(next)
      next = 0
      guard let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty else {
        guard !buffer.isEmpty else { return nil }
        defer { next = buffer.count }
        return buffer[0...]
      }
      buffer += piece
    }
  }

  /// Reads the rest and forgets it: a task that ends before it has read all breaks the pipe, and Spark then says that
  /// in place of the task's own reason.
  func drain() {
    buffer = []
    next = 0
    while let piece = try? handle.read(upToCount: Self.pieceSize), !piece.isEmpty {}
  }
}
