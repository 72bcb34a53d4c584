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
    _ source: ByteSource, as format: inout Format, width: Int, opening: (Text, Bool) throws -> Void,
    tooLong: (Reject) -> Void, body: (RecordBatch) throws -> Bool
  ) throws {
    var window = ByteWindow(source: source, size: windowSize)
    let batch = RecordBatch(width: width)
    try window.fill()
    try opening(window.text, window.isAtEnd)
    window.skipByteOrderMark()
    while !window.isEmpty {
      batch.begin(window.text, byteOffset: window.byteOffset, firstLine: window.line)
      let taken = try format.read(window.text, isLast: window.isAtEnd, into: batch)
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
