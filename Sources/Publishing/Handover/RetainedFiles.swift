import Foundation
import Platform

/// What somebody has put into a night's folder, notes say: it stays when the night is published anew.
struct RetainedFiles {
  /// The folder of the night as it is.
  let folder: String

  /// What it is called.
  var names: [String] {
    get throws { try Folder.names(in: folder).filter { !NightFiles.names.contains($0) && !$0.hasPrefix(".") } }
  }

  /// Puts a copy of it into the folder that is to take the place, on the disk when this returns: the originals go once
  /// the night is published. Files of a night's own names are not kept.
  ///
  /// - Returns: the names of what was kept.
  /// - Throws: `OfferliftError` (73 or 74) where it cannot be copied.
  func copy(to staged: String) throws -> [String] {
    let retained = try names
    for name in retained {
      try Folder.copyAll(path(name, in: folder), to: path(name, in: staged))
    }
    if !retained.isEmpty { try Folder.sync(staged) }
    return retained
  }

  private func path(_ name: String, in folder: String) -> String { (folder as NSString).appendingPathComponent(name) }
}
