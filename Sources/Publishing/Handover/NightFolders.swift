import Domain
import Foundation
import Measurement
import Platform

/// The folders of nights in a job's folder.
struct NightFolders {
  /// `DIR/<job>`.
  let folder: String

  init(_ folder: String) {
    self.folder = folder
  }

  /// The dates of all night folders, in order.
  ///
  /// - Throws: `OfferliftError` (74) where the folder cannot be read.
  var names: [String] {
    get throws {
      try Folder.names(in: folder).filter { try Night.isName($0) && Folder.isDirectory(path($0)) }
    }
  }

  /// The dates of those that hold some of what a run has published.
  ///
  /// - Throws: as `names`.
  var published: [String] {
    get throws { try names.filter { try !Folder.names(in: path($0)).allSatisfy { !NightFiles.names.contains($0) } } }
  }

  private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }
}
