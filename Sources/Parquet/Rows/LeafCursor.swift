/// Walks a column's values one by one, with their levels.
struct LeafCursor {
  private var reader: LeafReader
  private var repetitions: [UInt8] = []
  private var definitions: [UInt8] = []
  private(set) var cells = Cells()
  /// Of the values at hand the next one, and the next of those that are there.
  private var at = 0
  private var cell = 0
  private static let valuesAtOnce = 512

  init(_ reader: LeafReader) { self.reader = reader }

  /// Makes sure that a value is at hand; false at the end.
  private mutating func fill() throws -> Bool {
    if at < definitions.count { return true }
    (at, cell) = (0, 0)
    repetitions.removeAll(keepingCapacity: true)
    definitions.removeAll(keepingCapacity: true)
    cells.removeAll()
    let read = try reader.read(
      Self.valuesAtOnce, repetitions: &repetitions, definitions: &definitions, cells: &cells)
    if repetitions.isEmpty { repetitions.append(contentsOf: repeatElement(0, count: read)) }
    return read > 0
  }

  /// The next value's repetition level; nil at the end.
  mutating func repetition() throws -> UInt8? { try fill() ? repetitions[at] : nil }

  /// The next value's definition level; nil at the end.
  mutating func definition() throws -> UInt8? { try fill() ? definitions[at] : nil }

  /// Takes the next value, which is there where its level is the column's: the number of its cell, else nil.
  mutating func accept(_ node: SchemaNode) -> Int? {
    defer { at += 1 }
    guard definitions[at] == node.definition else { return nil }
    defer { cell += 1 }
    return cell
  }
}
