import CSimdjson
import Foundation
import Platform

/// Walks one file from its first byte to its last and hands its rows on, batch by batch.
struct RecordReader {
  private static let windowSize = 1 << 21

  /// Calls `body` for every batch of rows of `source`, until it returns false; rows too long to be held go to
  /// `tooLong`.
  ///
  /// - Parameter opening: looks at the file's beginning before anything is read of it, and is told whether that is
  ///   all of it.
  /// - Throws: what the source, the format, `opening` or `body` throw.
  static func read<Format: RecordFormat>(
    _ source: ByteSource, as format: inout Format, width: Int,
    opening: (UnsafeBufferPointer<UInt8>, Bool) throws -> Void,
    tooLong: (Reject) -> Void, body: (RecordBatch) throws -> Bool
  ) throws {
    var window = ByteWindow(source: source, size: windowSize)
    let batch = RecordBatch(width: width)
    try window.fill()
    try opening(UnsafeBufferPointer(start: window.start, count: window.count), window.isAtEnd)
    try window.skipByteOrderMark()
    while !window.isEmpty {
      batch.bytes = window.start
      batch.byteOffset = window.byteOffset
      batch.firstLine = window.line
      batch.details.removeAll()
      batch.count = 0
      let taken = try format.read(window.start, count: window.count, isLast: window.isAtEnd, into: batch)
      if batch.count > 0, try !body(batch) { return }
      if taken.bytes > 0 {
        window.advance(bytes: taken.bytes, lines: taken.lines)
      } else if window.isAtEnd {
        break
      } else if window.isFull {
        tooLong(try window.skipRow(endingWith: format.rowEnd))
      } else {
        try window.fill()
      }
    }
  }
}

/// A stretch of the file held in memory, with the padding simdjson wants behind it.
private struct ByteWindow: ~Copyable {
  private let source: ByteSource
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes that may be filled; the rest is padding.
  private let size: Int
  private var used: Range<Int> = 0..<0
  /// Offset of the first byte held, in the unpacked file.
  private(set) var byteOffset: Int64 = 0
  /// Line of the first byte held, from 1.
  package private(set) var line = 1
  /// The file has no more bytes than those held.
  private(set) var isAtEnd = false

  init(source: ByteSource, size: Int) {
    self.source = source
    self.size = size
    buffer = .allocate(byteCount: size + ol_json_padding(), alignment: 64)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { buffer.deallocate() }

  var count: Int { used.count }
  var isEmpty: Bool { used.isEmpty && isAtEnd }
  var isFull: Bool { used.count == size }

  var start: UnsafePointer<UInt8> {
    UnsafePointer((buffer.baseAddress! + used.lowerBound).assumingMemoryBound(to: UInt8.self))
  }

  /// Moves what is held to the front and reads until the window is full or the file ends.
  mutating func fill() throws {
    if used.lowerBound > 0 {
      memmove(buffer.baseAddress!, buffer.baseAddress! + used.lowerBound, used.count)
      used = 0..<used.count
    }
    while used.upperBound < size {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[used.upperBound..<size])
      let count = try source.read(into: room)
      if count == 0 {
        isAtEnd = true
        return
      }
      used = 0..<(used.upperBound + count)
    }
  }

  mutating func skipByteOrderMark() throws {
    if count >= 3, start[0] == 0xef, start[1] == 0xbb, start[2] == 0xbf { advance(bytes: 3, lines: 0) }
  }

  mutating func advance(bytes: Int, lines: Int) {
    used = (used.lowerBound + bytes)..<used.upperBound
    byteOffset += Int64(bytes)
    line += lines
  }

  /// Drops the row the window begins with, however long it is.
  mutating func skipRow(endingWith rowEnd: UInt8) throws -> Reject {
    let reject = Reject(
      account: 0, line: line, byteOffset: byteOffset, reason: .lineTooLong,
      detail: "the row is longer than \(longestLine) bytes",
      excerpt: Array(UnsafeBufferPointer(start: start, count: min(count, Reject.excerptLength))))
    while true {
      if let end = memchr(start, Int32(rowEnd), count) {
        advance(bytes: UnsafeRawPointer(end) - UnsafeRawPointer(start) + 1, lines: 1)
        return reject
      }
      advance(bytes: count, lines: 0)
      if isAtEnd { return reject }
      try fill()
    }
  }
}
