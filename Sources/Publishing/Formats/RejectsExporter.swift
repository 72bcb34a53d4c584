import Analysis
import Domain
import Engine
import Jobs
import Platform

/// Writes `rejects.csv.gz`: every row that could not be read, where it stands, why, and how it begins.
enum RejectsExporter {
  private static let header = ["file", "line", "byte_offset", "reason", "detail", "excerpt"]

  /// Writes the rejects in the order they come: by file as the job names them, then by line.
  static func write(_ night: NightResult, to file: FileWriter) throws {
    var lines: [UInt8] = []
    CSVExporter.appendRow(header.map(Table.Cell.text), to: &lines)
    for reject in night.rejects {
      CSVExporter.appendRow(cells(of: reject, in: night.accounts), to: &lines)
      if lines.count >= 1 << 16 {
        try file.write(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    try file.write(lines)
  }

  private static func cells(of reject: Reject, in accounts: [FileAccount]) -> [Table.Cell] {
    [
      .text(accounts[reject.account].file),
      .integer(Int128(reject.line)),
      .integer(Int128(reject.byteOffset)),
      .text(reject.reason.rawValue),
      .text(PrintableText.sentence(reject.detail)),
      .text(PrintableText.escaped(bytes: reject.excerpt)),
    ]
  }
}
