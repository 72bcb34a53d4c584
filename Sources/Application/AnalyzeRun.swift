import Analysis
import Domain
import Foundation
import Jobs
import Platform
import Publishing

/// Compares groups from a table of sufficient statistics, by the same code as in a run.
package enum AnalyzeRun {
  /// - Parameters:
  ///   - table: the path of the table, or `-` for stdin.
  ///   - job: a job file that lends its settings, baseline, primary metrics and goals.
  /// - Throws: `OfferliftError` 64 for arguments, 65 for the table, 66 for a file that is not there, 78 for the job,
  ///   each saying what would be right.
  package static func report(table: String, job: String?, arguments: AnalyzeArguments) throws -> AnalyzeReport {
    let bytes = try bytes(of: table)
    return try AnalyzeReport(table: bytes, arguments: arguments, job: try job.map(JobReader.read))
  }

  private static func bytes(of table: String) throws -> [UInt8] {
    guard table != "-" else { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    guard FileManager.default.fileExists(atPath: table) else {
      throw OfferliftError(
        .inputMissing, "cannot read \(table). Give the path of a CSV table, or - for stdin.\(NearestPath.hint(table))")
    }
    return try RegularFile.bytes(of: table, displayName: table)
  }
}
