import Domain
import Jobs

/// What is sought in a file's rows.
struct RowSearch: Sendable {
  /// One of them stands in a row that is sought; empty where every row is to be read.
  var words: [[UInt8]]
  /// Is told of the rows that are read.
  var witness: RowWitness?
}

/// Remembers of a file that is being read what its rows themselves do not hold. For one thread at a time.
final class RowWitness: @unchecked Sendable {
  /// The rows at hand.
  var batch: RecordBatch?
  /// Rows go by their numbers: by those each is read by itself.
  var rowsAreNumbered = false
  /// What stands before the first row.
  fileprivate(set) var header: [UInt8] = []

  /// All bytes of the row at hand that begins at an offset in the unpacked file.
  func bytes(at offset: Int64) -> [UInt8] { batch?.bytes(ofRowAt: offset) ?? [] }
}

/// Reads of a file the rows in which a word stands that is sought, and passes over the rest without taking it apart.
///
/// A row may hide the word, or where it ends, behind an escape or in quotes. So every line with a mark of that kind is
/// read, too: lines without one are rows, and say what they say.
struct MatchingRows<Format: RecordFormat>: RecordFormat {
  private var format: Format
  private let witness: RowWitness?
  /// Nil where every row is read.
  private var search: TextSearch?
  /// Rows have come: what stands before them, a header say, has been read.
  private var hasBegun = false

  init(of format: Format, _ search: RowSearch, in input: TableInput) {
    self.format = format
    witness = search.witness
    let words = search.words
    if !words.isEmpty, let marks = input.hidingMarks(words) {
      self.search =
        input.format == .mysql
        ? TextSearch(words: [], texts: words + marks) : TextSearch(words: words, texts: marks)
    }
  }

  var rowEnd: UInt8 { format.rowEnd }

  mutating func look(atLongRow text: Text, line: Int) throws { try format.look(atLongRow: text, line: line) }

  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) throws -> (bytes: Int, lines: Int) {
    witness?.batch = batch
    guard hasBegun else { return try begin(text, isLast, into: batch) }
    guard search != nil else { return try format.read(text, isLast: isLast, into: batch) }
    let place = search?.first(in: text, at: batch.byteOffset)
    let start = lineStart(before: place ?? text.count, in: text)
    if start > 0 { return (start, text.lines(upTo: start)) }
    // A line that goes on beyond what is in sight may hold rows that do not.
    guard place != nil else { return isLast ? (text.count, 0) : (format.endOfRows(in: text), 0) }
    return try readLine(text, isLast, into: batch)
  }

  /// The first rows are read whatever stands in them: the format learns of the header by the way.
  private mutating func begin(_ text: Text, _ isLast: Bool, into batch: RecordBatch) throws -> (bytes: Int, lines: Int)
  {
    let taken = try format.read(text, isLast: isLast, into: batch)
    hasBegun = batch.count > 0
    let end = hasBegun ? Int(batch.byteOffset(of: 0) - batch.byteOffset) : taken.bytes
    witness?.header += Array(text.prefix(end))
    return taken
  }

  /// Reads the line that the text begins with; where its row goes on behind it, as many rows as there are.
  private mutating func readLine(
    _ text: Text, _ isLast: Bool, into batch: RecordBatch
  ) throws -> (bytes: Int, lines: Int) {
    let end = text.place(of: 0x0a, or: 0x0a, from: 0) + 1
    if end < text.count {
      let taken = try format.read(text.slice(0..<end), isLast: false, into: batch)
      if taken.bytes > 0 { return taken }
    }
    return try format.read(text, isLast: isLast, into: batch)
  }

  private func lineStart(before place: Int, in text: Text) -> Int {
    var start = place
    while start > 0, text[start - 1] != 0x0a { start -= 1 }
    return start
  }
}

extension TableInput {
  /// What stands in every line that could hide one of the words, or the end of its row; nil where lines tell nothing.
  fileprivate func hidingMarks(_ words: [[UInt8]]) -> [[UInt8]]? {
    switch format {
    case .csv: return [Array("\"".utf8)]
    case .jsonl:
      let isPlain = words.joined().allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"\\/".utf8.contains($0) }
      // Plain letters can be written in one other way.
      return [Array((isPlain ? "\\u00" : "\\").utf8)]
    case .mysql:
      guard dialect.linesTerminatedBy == nil, dialect.linesStartingBy.isEmpty else { return nil }
      return [dialect.escapedBy, dialect.enclosedBy].compactMap { $0.map { [$0] } }
    case .sqlite: return nil
    }
  }
}
