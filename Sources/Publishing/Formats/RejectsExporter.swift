import Analysis
import Domain
import Platform

/// Writes `rejects.csv.gz`: every row that could not be read, where it stands, why, and how it begins.
enum RejectsExporter {
  private static let header = ["file", "line", "byte_offset", "reason", "detail", "excerpt"]

  /// How many bytes of lines make a gzip member, about.
  static let memberBytes = 1 << 20

  /// Writes the rejects by file as the job names them, then by place. Their lines have been there since they were read,
  /// but for the file's name.
  ///
  /// - Parameter withExcerpts: how rows begin is told, too; else their last cell is empty.
  /// - Throws: `OfferliftError` (73 or 74) where the file cannot be written, or rejects wait on a disk that does not
  ///   give them back.
  static func write(_ night: NightResult, withExcerpts: Bool, to file: FileWriter, threads: Int) throws {
    let names = night.accounts.map { account in
      var cell: [UInt8] = []
      CSVText.append(account.file, to: &cell)
      return cell + [UInt8(ascii: ",")]
    }
    let members = GzipMembers(in: file, threads: threads)
    var lines: [UInt8] = []
    CSVExporter.appendRow(header.map(Table.Cell.text), to: &lines)
    try night.rejects.forEach { number, line in
      lines += names[number]
      if withExcerpts {
        lines += line
      } else {
        lines += line[..<CSVText.startOfLastCell(of: line)]
        lines.append(UInt8(ascii: "\n"))
      }
      guard lines.count >= memberBytes else { return }
      try members.append(lines)
      lines.removeAll(keepingCapacity: true)
    }
    if !lines.isEmpty { try members.append(lines) }
    try members.finish()
  }
}
