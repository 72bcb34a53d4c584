import Domain
import Foundation
import Platform

/// Makes the report of a published night anew, from what its folder holds.
package enum ReportFolder {
  /// Writes `report.html` into the folder and returns its path.
  ///
  /// - Throws: `OfferliftError`: 66 where the folder holds no run, 65 where a file of it cannot be read, 74 where
  ///   the report cannot be written.
  package static func renew(_ path: String) throws -> String {
    let folder = URL(fileURLWithPath: path).standardizedFileURL
    let page = try Report.html(of: StoryFolder(folder: folder).story())
    let target = folder.appendingPathComponent(NightFiles.report).path
    try FileWriter.replace(target, with: Array(page.utf8))
    return target
  }
}
