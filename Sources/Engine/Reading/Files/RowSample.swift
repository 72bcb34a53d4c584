import Foundation
import Jobs

/// Rows from all over a file, and of every column how many values it has and which.
package struct RowSample: Sendable {
  /// Of each row that is kept the values of the columns asked for; nil where there is none.
  package private(set) var rows: [[String?]] = []
  /// Line of each kept row's first byte, from 1.
  package private(set) var lines: [Int] = []
  /// How many rows there are, those that are not kept as well.
  package private(set) var count = 0
  /// The file goes on behind the rows that were counted.
  package private(set) var isCut = false
  /// Of each column how many rows have a value there, and which.
  package private(set) var columns: [Column]

  package struct Column: Sendable {
    package fileprivate(set) var filled = 0
    package fileprivate(set) var sketch = ValueSketch()
  }

  /// How much of a file is gone through for its rows, unpacked, in bytes.
  private static let readLimit: Int64 = 1 << 30

  /// Goes through a file.
  ///
  /// - Parameters:
  ///   - names: its columns or members, as the file calls them.
  ///   - limit: how many of its first rows are enough; nil goes through all of them.
  ///   - expected: about how many rows it has.
  /// - Throws: as `TableFile.read`.
  package init(of file: InputFile, as input: TableInput, names: [String], limit: Int?, expecting expected: Int) throws {
    var job = Job(name: "", file: .init(fileURLWithPath: file.displayName))
    job.onCorrupt = .fail
    let table = TableFile(
      input: input, file: file, fields: names, isRequired: names.map { _ in false }, job: job, limit: limit)
    var sample = SampledRows(expecting: expected)
    var columns = names.map { _ in Column() }
    do {
      _ = try table.read { batch, _ in
        for row in 0..<batch.count where batch.isSound(row) && sample.count < limit ?? .max {
          let fields = batch.fields(of: row)
          for position in columns.indices where !fields[position].isMissing && !fields[position].isEmpty {
            columns[position].filled += 1
            columns[position].sketch.add(ValueSketch.hash(fields[position].bytes))
          }
          guard sample.wants() else { continue }
          sample.retain(
            names.indices.map { fields[$0].isMissing ? nil : fields[$0].string }, line: batch.line(of: row))
        }
        if batch.count > 0, batch.byteOffset(of: batch.count - 1) > Self.readLimit { throw Enough() }
      }
    } catch is Enough {
      isCut = true
    }
    (rows, lines, count) = (sample.rows, sample.lines, sample.count)
    self.columns = columns
  }

  /// So much of the file was read that the rest is left.
  private struct Enough: Error {}
}
