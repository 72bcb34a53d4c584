import Domain
import Platform

/// A Parquet file: which columns it has, and the way to their rows.
package struct ParquetFile: Sendable {
  let file: RandomAccessFile
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
    file = try RandomAccessFile(path, displayName: displayName, limit: limit)
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
    guard rowCount - Self.mostUnasked <= Self.mostOfByte * file.size else {
      throw ParquetFault.unsupported(
        "it tells of \(rowCount) rows in \(file.size) bytes, as no log does; look at what is in it, and write it as CSV where it "
          + "is what it should be")
    }
  }

  /// A run of a few bytes may stand for two thousand million rows. Beyond the first so many a file has no more than so many
  /// a byte, twice those that gzip makes of the shortest row.
  private static let (mostUnasked, mostOfByte): (Int64, Int64) = (10_000_000, 20)

  package var rowGroupCount: Int { rowGroups.count }

  /// How many rows stand before a row group, which goes by its number from 0.
  package func rows(before rowGroup: Int) -> Int64 { rowGroups.prefix(rowGroup).reduce(0) { $0 + $1.rows } }

  package var rowCount: Int64 { rowGroups.reduce(0) { $0 + $1.rows } }

  /// Its columns and the members of groups, each with the names on the way to it.
  package var columns: [(path: [String], node: SchemaNode)] { root.named }

  /// Those whose values are read: a file may hold others of a type or a packing that is not, beside the ones that are needed.
  ///
  /// - Throws: `ParquetFault` where none is.
  package func readableColumns() throws -> [(path: [String], node: SchemaNode)] {
    let faults = columns.map { column in column.node.leaves.lazy.compactMap(unsupported).first }
    guard faults.contains(where: { $0 == nil }) else {
      throw faults.lazy.compactMap(\.self).first ?? ParquetFault("it has no column")
    }
    return zip(columns, faults).filter { $0.1 == nil }.map(\.0)
  }

  /// Why a column is of a kind that is not read; nil where it is.
  private func unsupported(_ leaf: Int) -> ParquetFault? {
    for (number, group) in rowGroups.enumerated() {
      do {
        _ = try LeafReader(leaves[leaf], group.chunks[leaf], rows: group.rows, rowGroup: number + 1, file: file)
      } catch let fault as ParquetFault where !fault.isDamage {
        return fault
      } catch {
        return nil
      }
    }
    return nil
  }
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
