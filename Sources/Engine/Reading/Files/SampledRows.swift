/// Rows from all over a file: its first ones, and stretches of neighbours at even distances behind them.
///
/// Neighbours stay together, because what belongs together often stands together: the items of an order, the two times that
/// a row was exported.
struct SampledRows {
  private(set) var rows: [[String?]] = []
  private(set) var lines: [Int] = []
  /// How many rows there were.
  private(set) var count = 0
  /// Of stretches one in so many is kept.
  private var step: Int
  /// The number of each stretch that is kept, and where its rows begin.
  private var stretches: [(number: Int, start: Int)] = []

  static let headCount = 2000
  static let stretchLength = 40
  static let stretchCount = 200

  /// - Parameter expected: about how many rows there will be; too many of them cost time, too few leave the sample small.
  init(expecting expected: Int) {
    step = max(1, expected / Self.stretchLength / Self.stretchCount / 2)
  }

  /// Counts a row, and says whether it is to be kept.
  mutating func wants() -> Bool {
    let place = count - Self.headCount
    count += 1
    guard place >= 0 else { return true }
    let (number, offset) = place.quotientAndRemainder(dividingBy: Self.stretchLength)
    guard number.isMultiple(of: step) else { return false }
    if offset == 0 { begin(number) }
    return number.isMultiple(of: step)
  }

  mutating func keep(_ row: [String?], line: Int) {
    rows.append(row)
    lines.append(line)
  }

  private mutating func begin(_ number: Int) {
    if stretches.count >= 2 * Self.stretchCount { thin() }
    if number.isMultiple(of: step) { stretches.append((number, rows.count)) }
  }

  /// Gives up every second stretch.
  private mutating func thin() {
    step *= 2
    let first = stretches.first?.start ?? rows.count
    var (keptRows, keptLines) = (Array(rows[..<first]), Array(lines[..<first]))
    var kept: [(number: Int, start: Int)] = []
    for (place, stretch) in stretches.enumerated() where stretch.number.isMultiple(of: step) {
      let end = place + 1 < stretches.count ? stretches[place + 1].start : rows.count
      kept.append((stretch.number, keptRows.count))
      keptRows += rows[stretch.start..<end]
      keptLines += lines[stretch.start..<end]
    }
    (rows, lines, stretches) = (keptRows, keptLines, kept)
  }
}
