import Analysis
import Domain
import Jobs

/// What `offerlift analyze` prints.
package struct AnalyzeReport: Sendable {
  /// For stdout: the comparisons in the format asked for.
  package let output: String
  /// For stderr: checks as sentences; in JSON they are part of the output.
  package let notes: [String]

  /// Analyzes a table of sufficient statistics.
  ///
  /// - Parameter job: lends its settings, baseline, primary metrics and goals.
  /// - Throws: `OfferliftError` 64 for arguments, 65 for the table, each saying what would be right.
  package init(table bytes: [UInt8], arguments: AnalyzeArguments, job: Job? = nil) throws {
    let format = try arguments.parsedFormat()
    let table = try AnalyzeTable(bytes, arguments: arguments, job: job)
    let comparisons = ComparisonsTable().table(of: table.comparisons, scope: TableScope(job: job?.name))
    switch format {
    case .csv:
      output = String(decoding: CSVExporter.bytes(of: comparisons), as: UTF8.self)
      notes = table.checks.map { "\($0.status.rawValue): \($0.name): \($0.message)" }
    case .json:
      output = JSONExporter.text(
        of: [comparisons, .groupEstimates(table.groups), ChecksTable().table(of: table.checks)])
      notes = []
    }
  }
}
