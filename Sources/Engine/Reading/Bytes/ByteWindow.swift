import CJSON
import Foundation
import Platform

/// A chunk of the file held in memory, with the padding that readers of JSON want behind it.
struct ByteWindow: ~Copyable {
  private let source: ByteSource
  private let unsafeBuffer: UnsafeMutableBufferPointer<UInt8>
  /// Bytes that may be filled; the rest is padding.
  private let size: Int
  private var used: Range<Int> = 0..<0
  /// Offset of the first byte held, in the unpacked file.
  private(set) var byteOffset: Int64 = 0
  /// Line of the first byte held, from 1.
  private(set) var line = 1
  /// The file has no more bytes than those held.
  private(set) var isAtEnd = false

  init(source: ByteSource, size: Int) {
    self.source = source
    self.size = size
    unsafeBuffer = .allocate(capacity: size + ol_json_padding())
    unsafeBuffer.initialize(repeating: 0)
  }

  deinit { unsafeBuffer.deallocate() }

  /// The whole file has been read on from.
  var isEmpty: Bool { used.isEmpty && isAtEnd }
  /// No more can be held.
  var isFull: Bool { used.count == size }

  /// What is held. It lives until the window is filled again.
  var text: Text { Text(unsafeBytes: UnsafeBufferPointer(rebasing: unsafeBuffer[used])) }

  /// Moves what is held to the front and reads `count` bytes more, or until the window is full or the file ends.
  mutating func fill(with count: Int = .max) throws {
    if used.lowerBound > 0, let start = unsafeBuffer.baseAddress {
      memmove(start, start + used.lowerBound, used.count)
      used = 0..<used.count
    }
    let wanted = used.upperBound + min(count, size - used.upperBound)
    while used.upperBound < wanted {
      let room = UnsafeMutableBufferPointer(rebasing: unsafeBuffer[used.upperBound..<wanted])
      var span = room.mutableSpan
      let count = try source.read(into: &span)
      if count == 0 {
        isAtEnd = true
        return
      }
      used = 0..<(used.upperBound + count)
    }
  }

  /// Moves past the three bytes by which some writers say that a text is UTF-8.
  mutating func skipByteOrderMark() {
    if text.has(Text.byteOrderMark, at: 0) { advance(bytes: 3, lines: 0) }
  }

  mutating func advance(bytes: Int, lines: Int) {
    used = (used.lowerBound + bytes)..<used.upperBound
    byteOffset += Int64(bytes)
    line += lines
  }

  // MARK: - Between windows

  /// What of a file one window holds no more, for another to begin with.
  struct Rest {
    fileprivate var bytes: [UInt8] = []
    fileprivate var byteOffset: Int64 = 0
    fileprivate var line = 1
    /// The file has been handed out whole.
    fileprivate(set) var isAtEnd = false
  }

  /// Gives up what is held from a place on; what is before it is held on.
  mutating func cut(at position: Int) -> Rest {
    let retained = text.slice(0..<position)
    let rest = Rest(
      bytes: Array(text.slice(position..<text.count)), byteOffset: byteOffset + Int64(position),
      line: line + retained.lines(upTo: retained.count), isAtEnd: isAtEnd)
    used = used.lowerBound..<used.lowerBound + position
    return rest
  }

  /// Holds, in place of what it did, what another window has given up.
  mutating func accept(_ rest: Rest) {
    used = 0..<rest.bytes.count
    rest.bytes.withUnsafeBufferPointer { _ = unsafeBuffer.update(fromContentsOf: $0) }
    (byteOffset, line, isAtEnd) = (rest.byteOffset, rest.line, rest.isAtEnd)
  }

  // MARK: - Long rows

  /// Drops the row the window begins with, however long it is.
  mutating func skipRow(endingWith rowEnd: UInt8) throws -> Reject {
    let reject = Reject(
      account: 0, line: line, byteOffset: byteOffset, reason: .lineTooLong,
      detail: "the row is longer than \(longestLine) bytes", excerpt: Array(text.prefix(Reject.excerptLength)))
    while true {
      let end = text.position(of: rowEnd, or: rowEnd, from: 0)
      if end < text.count {
        advance(bytes: end + 1, lines: 1)
        return reject
      }
      advance(bytes: end, lines: 0)
      if isAtEnd { return reject }
      try fill()
    }
  }
}
