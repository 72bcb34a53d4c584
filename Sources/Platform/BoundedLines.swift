import Foundation

/// The lines that somebody writes into a pipe, each as soon as it is there; one that is too long is skipped and told of,
/// so that no line takes more memory than it may.
package struct BoundedLines {
  package enum Line: Equatable {
    case bytes([UInt8])
    /// One of more bytes than a line may have.
    case tooLong
  }

  private let descriptor: Int32
  private let most: Int
  private var buffer: [UInt8] = []
  private var next = 0
  private var isSkipping = false
  private var hasEnded = false
  private static let pieceSize = 1 << 16

  /// - Parameter most: how many bytes a line may have.
  package init(descriptor: Int32 = STDIN_FILENO, most: Int) {
    (self.descriptor, self.most) = (descriptor, most)
  }

  /// The next line without its end; nil at the end. A last line without an end is one, too.
  ///
  /// - Throws: `OfferliftError` 74 where the pipe cannot be read.
  package mutating func line() throws -> Line? {
    var searched = next
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) { return accept(to: end) }
      if buffer.count - next > most { isSkipping = true }
      if isSkipping { next = buffer.count }
      buffer.removeFirst(next)
      (searched, next) = (buffer.count, 0)
      guard !hasEnded else { return nil }
      try fill()
      guard hasEnded else { continue }
      if buffer.isEmpty && !isSkipping { return nil }
      return accept(to: buffer.count)
    }
  }

  /// The line that ends before `end`.
  private mutating func accept(to end: Int) -> Line {
    defer { (next, isSkipping) = (min(end + 1, buffer.count), false) }
    return isSkipping || end - next > most ? .tooLong : .bytes(Array(buffer[next..<end]))
  }

  private mutating func fill() throws {
    while true {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { bytes, count in
        let found = Foundation.read(descriptor, bytes.baseAddress, bytes.count)
        failure = found < 0 ? errno : 0
        count = max(found, 0)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw OutputFailure.error("read", "stdin", code: failure) }
      hasEnded = piece.isEmpty
      buffer += piece
      return
    }
  }
}
