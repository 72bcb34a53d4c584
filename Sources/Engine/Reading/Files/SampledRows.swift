/// Rows from all over a file: its first ones, and chunks of neighbours at even distances behind them.
///
/// Neighbours stay together, because what belongs together often stands together: the items of an order, the two times that
/// a row was exported.
struct SampledRows {
  private(set) var rows: [[String?]] = []
  private(set) var lines: [Int] = []
  /// How many rows there were.
  private(set) var count = 0
  /// Of chunks one in so many is kept.
  private var step: Int
  /// The number of each chunk that is kept, and where its rows begin.
  private var chunks: [(number: Int, start: Int)] = []

  static let headCount = 2000
  static let chunkLength = 40
  static let chunkCount = 200

  /// - Parameter expected: about how many rows there will be; too many of them cost time, too few leave the sample small.
  init(expecting expected: Int) {
    step = max(1, expected / Self.chunkLength / Self.chunkCount / 2)
  }

  /// Counts a row, and says whether it is to be kept.
  mutating func wants() -> Bool {
    let position = count - Self.headCount
    count += 1
    guard position >= 0 else { return true }
    let (number, offset) = position.quotientAndRemainder(dividingBy: Self.chunkLength)
    guard number.isMultiple(of: step) else { return false }
    if offset == 0 { begin(number) }
    return number.isMultiple(of: step)
  }

  mutating func retain(_ row: [String?], line: Int) {
    rows.append(row)
    lines.append(line)
  }

  private mutating func begin(_ number: Int) {
    if chunks.count >= 2 * Self.chunkCount { thin() }
    if number.isMultiple(of: step) { chunks.append((number, rows.count)) }
  }

  /// Gives up every second chunk.
  private mutating func thin() {
    step *= 2
    let first = chunks.first?.start ?? rows.count
    var (retainedRows, retainedLines) = (Array(rows[..<first]), Array(lines[..<first]))
    var retained: [(number: Int, start: Int)] = []
    for (position, chunk) in chunks.enumerated() where chunk.number.isMultiple(of: step) {
      let end = position + 1 < chunks.count ? chunks[position + 1].start : rows.count
      retained.append((chunk.number, retainedRows.count))
      retainedRows += rows[chunk.start..<end]
      retainedLines += lines[chunk.start..<end]
    }
    (rows, lines, chunks) = (retainedRows, retainedLines, retained)
  }
}
