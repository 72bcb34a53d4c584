/// Why a Parquet file cannot be read, and where in it.
package struct ParquetFault: Error, Equatable {
  /// The end of a sentence about the file: `a page's checksum does not match`.
  package var what: String
  /// The row group, from 1; nil where it is the footer.
  package var rowGroup: Int?
  /// The column, its parents before it with dots; nil where it is the footer.
  package var column: String?
  /// The file is not what its writer wrote; else it is sound, and of a kind that is not read.
  package var isDamage = true

  init(_ what: String, isDamage: Bool = true) {
    (self.what, self.isDamage) = (what, isDamage)
  }

  /// What is not read, and what to do.
  static func unsupported(_ what: String) -> ParquetFault { ParquetFault(what, isDamage: false) }

  /// Where and what.
  package var words: String {
    let positions = [rowGroup.map { "row group \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
    return "\(positions.isEmpty ? "footer" : positions.joined(separator: ", ")): \(what)"
  }
}
