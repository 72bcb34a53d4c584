/// Rows of some columns, batch by batch: only their pages are read and unpacked.
package struct ParquetRows {
  private let file: ParquetFile
  private let nodes: [SchemaNode]
  private var nextGroup = 0
  /// The row group before which it ends.
  private let endGroup: Int
  private var leftOfGroup: Int64 = 0
  private var readers: [any ColumnReader] = []
  /// Of each column the cells of the batch at hand.
  package private(set) var cells: [Cells]
  /// How many rows are read at once: fewer where they are long.
  private var rowsAtOnce = 256
  /// So many bytes of texts are made at once, about.
  private static let bytesAtOnce = 1 << 23

  /// - Parameter rowGroup: the only one that is read, from 0; nil reads all.
  package init(_ file: ParquetFile, _ nodes: [SchemaNode], rowGroup: Int? = nil) {
    (self.file, self.nodes) = (file, nodes)
    (nextGroup, endGroup) = rowGroup.map { ($0, $0 + 1) } ?? (0, file.rowGroups.count)
    cells = nodes.map { _ in Cells() }
  }

  /// Reads the next rows, at most `count`, and returns how many they are; 0 at the end.
  ///
  /// - Throws: `ParquetFault` that names the row group and the column; `OfferliftError`, exit 74.
  package mutating func next(atMost count: Int) throws -> Int {
    while leftOfGroup == 0 {
      try readers.indices.forEach { try readers[$0].finish() }
      guard nextGroup < endGroup else { return 0 }
      try beginGroup()
    }
    let rows = min(Int(min(leftOfGroup, Int64(count))), rowsAtOnce)
    var bytes = 0
    for column in readers.indices {
      cells[column].removeAll()
      try readers[column].read(rows, into: &cells[column])
      bytes += cells[column].bytes.count
    }
    leftOfGroup -= Int64(rows)
    rowsAtOnce = max(1, min(count, Self.bytesAtOnce / max(1, bytes / max(1, rows)), rowsAtOnce * 8))
    return rows
  }

  private mutating func beginGroup() throws {
    let (group, number) = (file.rowGroups[nextGroup], nextGroup + 1)
    nextGroup += 1
    leftOfGroup = group.rows
    guard leftOfGroup > 0 else { return readers = [] }
    func leaf(_ leaf: Int) throws -> LeafReader {
      try LeafReader(
        file.leaves[leaf], group.chunks[leaf], rows: group.rows, rowGroup: number, file: file.file)
    }
    readers = try nodes.map { node in
      guard node.values != nil, node.repetition == 0 else {
        return NestedColumn(node, try node.leaves.map { LeafCursor(try leaf($0)) }, rowGroup: number)
      }
      return FlatColumn(node, try leaf(node.leaves.lowerBound), rowGroup: number)
    }
  }
}

/// Reads one column of a row group, row by row.
protocol ColumnReader {
  /// Appends a cell for each of the next rows.
  mutating func read(_ rows: Int, into cells: inout Cells) throws
  /// All rows have been read: nothing may be left.
  mutating func finish() throws
}

/// A column of one value a row.
struct FlatColumn: ColumnReader {
  private let node: SchemaNode
  private var reader: LeafReader
  private let rowGroup: Int
  private var repetitions: [UInt8] = []
  private var definitions: [UInt8] = []

  init(_ node: SchemaNode, _ reader: LeafReader, rowGroup: Int) {
    (self.node, self.reader, self.rowGroup) = (node, reader, rowGroup)
  }

  mutating func read(_ rows: Int, into cells: inout Cells) throws {
    definitions.removeAll(keepingCapacity: true)
    let start = cells.count
    let read = try reader.read(rows, repetitions: &repetitions, definitions: &definitions, cells: &cells)
    guard read == rows else { throw ParquetFault("it has fewer values than rows").positioned(rowGroup, node.path) }
    if cells.count - start < rows { cells.spread(from: start, over: definitions.map { $0 == node.definition }) }
  }

  mutating func finish() {}
}
