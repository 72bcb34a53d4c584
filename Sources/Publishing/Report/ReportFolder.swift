import Domain
import Foundation
import Platform

/// Makes the report of a published night anew, from what its folder holds.
package enum ReportFolder {
  /// Writes `report.html` into the folder, with the pages of many offerings, and returns its path.
  ///
  /// - Throws: `OfferliftError`: 66 where the folder holds no run, 65 where a file of it cannot be read, 74 where
  ///   the report cannot be written.
  package static func renew(_ path: String) throws -> String {
    let folder = URL(fileURLWithPath: path).standardizedFileURL
    try NightFiles.replacePages(of: StoryFolder(folder: folder).story(), in: folder.path)
    return folder.appendingPathComponent(NightFiles.report).path
  }
}
