import Domain

/// Lines of rejected rows in some order, in pieces.
struct RejectRun: Sendable {
  let spool: RejectSpool
  private(set) var pieces: [RejectSpool.Piece] = []
  /// Is added to the numbers of files.
  var shift = 0

  /// - Throws: as `RejectSpool.keep`.
  mutating func append(_ lines: ArraySlice<UInt8>) throws { pieces.append(try spool.retain(lines)) }

  mutating func append(_ other: RejectRun) { pieces += other.pieces }
}

/// A run whose lines are in order of files and places.
struct SortedRun: Sendable {
  var run: RejectRun
  var first: RowPosition
  var last: RowPosition
}

/// Goes through the lines of a run, with one piece of it in memory.
struct RejectCursor {
  private let run: RejectRun
  private var upcoming = 0
  private var bytes: [UInt8] = []
  /// Where the lines in `bytes` end.
  private var end = 0
  /// The line at hand, its end included.
  private var position = 0..<0
  private var behindFile = 0
  /// Where the row of the line at hand stands.
  private(set) var row = RowPosition(file: 0, byteOffset: 0, line: 0)

  init(_ run: RejectRun) {
    self.run = run
  }

  /// The line at hand, its end included.
  var line: ArraySlice<UInt8> { bytes[position] }
  /// The line at hand without the number of its file.
  var lineBehindFile: ArraySlice<UInt8> { bytes[behindFile..<position.upperBound] }

  /// Goes to the next line; false where there is none.
  ///
  /// - Throws: as `RejectSpool.block`.
  mutating func next() throws -> Bool {
    while position.upperBound == end {
      guard upcoming < run.pieces.count else { return false }
      bytes = try run.spool.block(run.pieces[upcoming])
      upcoming += 1
      (position, end) = (Block.headSize..<Block.headSize, bytes.count - Block.tailSize)
    }
    let start = position.upperBound
    position = start..<bytes.withText { $0.position(of: RejectLine.end, or: RejectLine.end, from: start) } + 1
    (row, behindFile) = RejectLine.position(ofLineAt: start, in: bytes)
    row.file += run.shift
    return true
  }

  /// Whether the line at hand comes before that of another cursor.
  func precedes(_ other: RejectCursor) -> Bool {
    row == other.row ? RejectLine.precedes(line, other.line) : row < other.row
  }
}
