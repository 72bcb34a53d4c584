import Foundation
import Platform

/// What somebody has put into a night's folder, notes say: it stays when the night is published anew.
struct KeptFiles {
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
    let kept = try names
    for name in kept {
      let (source, target) = (path(name, in: folder), path(name, in: staged))
      do { try FileManager.default.copyItem(atPath: source, toPath: target) } catch {
        throw OutputFailure.error("copy \(source) to", target, code: Self.code(of: error))
      }
      try Folder.syncAll(target)
    }
    if !kept.isEmpty { try Folder.sync(staged) }
    return kept
  }

  private static func code(of error: any Error) -> Int32 {
    let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    return system.map { Int32($0.code) } ?? EIO
  }

  private func path(_ name: String, in folder: String) -> String { (folder as NSString).appendingPathComponent(name) }
}
