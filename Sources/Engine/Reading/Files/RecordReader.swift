import Jobs
import Platform

/// Walks a file from its first byte to its last, or in turns with others, and hands its rows on, batch by batch.
struct RecordReader: ~Copyable {
  /// No row longer than this is held.
  private static let windowSize = 1 << 21

  private let source: ByteSource
  private var window: ByteWindow
  private let batch: RecordBatch
  private let share: FileShare?

  /// Looks at the beginning of `source`, of which nothing has been read.
  ///
  /// - Parameters:
  ///   - width: fields a row.
  ///   - share: lets others read the file, too; nil keeps it to this reader.
  ///   - opening: looks at the file's beginning before its rows are read, and is told whether that is all of it.
  /// - Throws: what the source and `opening` throw.
  init(
    _ source: ByteSource, width: Int, share: FileShare? = nil, opening: (Text, Bool) throws -> Void
  ) throws {
    self.source = source
    self.share = share
    window = ByteWindow(source: source, size: Self.windowSize)
    batch = RecordBatch(width: width)
    share?.begin()
    try window.fill(with: share.map { max($0.chunk, inspectedBytes) } ?? Self.windowSize)
    try opening(window.text, window.isAtEnd)
    window.skipByteOrderMark()
  }

  /// Joins those that read a file.
  init(_ source: ByteSource, width: Int, joining share: FileShare) {
    self.source = source
    self.share = share
    window = ByteWindow(source: source, size: Self.windowSize)
    batch = RecordBatch(width: width)
  }

  /// Calls `body` for every batch of rows of the file, until it returns false; rows too long to be held go to
  /// `tooLong`. Others may join from the first rows on.
  ///
  /// - Parameter names: those of the file's columns or members.
  /// - Throws: what the source, the format or `body` throw.
  mutating func readAll(
    as format: inout some RecordFormat, names: [String], tooLong: (Reject) -> Void, body: (RecordBatch) throws -> Bool
  ) throws {
    while try walk(as: &format, isLast: window.isAtEnd, body), !window.isAtEnd {
      share?.note(source)
      if let share, share.isWanted.load(ordering: .relaxed),
        share.putDown(&window, of: source, as: format, names: names)
      {
        return try readInTurns(as: &format, tooLong: tooLong, body: body)
      }
      if window.isFull {
        try format.look(atLongRow: window.text, line: window.line)
        tooLong(try window.skipRow(endingWith: format.rowEnd))
      } else {
        try window.fill(with: share?.chunk ?? Self.windowSize)
      }
    }
  }

  /// Reads chunks of the file in turns with others until it has no more. Parameters as in `readAll`.
  ///
  /// - Throws: as `readAll`, and what the others have failed with.
  mutating func readInTurns(
    as format: inout some RecordFormat, tooLong: (Reject) -> Void, body: (RecordBatch) throws -> Bool
  ) throws {
    guard let share else { return }
    while let chunk = try share.next(into: &window, as: format, tooLong: tooLong) {
      do {
        // A chunk ends where a row does, also within a line of several objects.
        guard try walk(as: &format, isLast: true, body) else { return }
      } catch {
        share.fail(chunk, error)
        throw error
      }
    }
  }

  /// Hands on the whole rows that the window holds; false where `body` wants no more.
  ///
  /// - Parameter isLast: what the window holds ends with a row.
  private mutating func walk(
    as format: inout some RecordFormat, isLast: Bool, _ body: (RecordBatch) throws -> Bool
  ) throws -> Bool {
    while !window.text.isEmpty {
      batch.begin(window.text, byteOffset: window.byteOffset, firstLine: window.line)
      let accepted = try format.read(window.text, isLast: isLast, into: batch)
      if batch.count > 0, try !body(batch) { return false }
      if accepted.bytes == 0 { break }
      window.advance(bytes: accepted.bytes, lines: accepted.lines)
    }
    return true
  }
}
