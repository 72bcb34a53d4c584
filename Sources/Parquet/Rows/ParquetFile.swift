import Domain
import Platform

/// A Parquet file: which columns it has, and the way to their rows.
package struct ParquetFile: Sendable {
  let file: PlacedFile
  let root: SchemaNode
  let leaves: [SchemaNode]
  let rowGroups: [RowGroup]

  /// What a Parquet file begins with, and ends with.
  package static let magic = Footer.magic

  /// Reads the footer.
  ///
  /// - Parameter limit: behind how many bytes the file is taken to end; nil: where it does.
  /// - Throws: `ParquetFault` where it is damaged, or of a kind that is not read; `OfferliftError`, exit 66 or 74.
  package init(_ path: String, displayName: String, limit: Int64? = nil) throws {
    file = try PlacedFile(path, displayName: displayName, limit: limit)
    let footer = try Footer(of: file)
    root = try SchemaNode.root(footer.elements)
    rowGroups = footer.rowGroups
    var leaves: [SchemaNode] = []
    root.collectLeaves(into: &leaves)
    self.leaves = leaves
    for (number, group) in rowGroups.enumerated() where group.chunks.count != leaves.count {
      var fault = ParquetFault("it has \(group.chunks.count) columns where the file has \(leaves.count)")
      fault.rowGroup = number + 1
      throw fault
    }
  }

  package var rowGroupCount: Int { rowGroups.count }

  /// How many rows stand before a row group, which goes by its number from 0.
  package func rows(before rowGroup: Int) -> Int64 { rowGroups.prefix(rowGroup).reduce(0) { $0 + $1.rows } }

  package var rowCount: Int64 { rowGroups.reduce(0) { $0 + $1.rows } }

  /// Its columns and the members of groups, each with the names on the way to it.
  package var columns: [(path: [String], node: SchemaNode)] { root.named }
}

extension SchemaNode {
  fileprivate func collectLeaves(into leaves: inout [SchemaNode]) {
    if values != nil { leaves.append(self) }
    for child in children { child.collectLeaves(into: &leaves) }
  }

  /// What its texts are.
  package enum Content: Sendable { case text, number, boolean, json }

  package var content: Content {
    guard repetition == 0, let values else { return .json }
    switch values.meaning {
    case .boolean: return .boolean
    case .integer, .unsigned32, .unsigned64, .float, .double, .half, .decimal: return .number
    case .date, .time, .timestamp, .julianTimestamp, .text, .uuid, .bytes, .other: return .text
    }
  }

  /// Its texts may be any bytes: the file does not say that they are a text, or they are one that nobody has looked at.
  package var isUnchecked: Bool {
    guard repetition == 0, let values else { return true }
    return values.meaning == .text || values.meaning == .bytes
  }

  /// The file does not say that its bytes are a text.
  package var isBinary: Bool { values?.meaning == .bytes }
}
