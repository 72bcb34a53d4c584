import Domain
import Foundation
import Platform
import Synchronization

/// What named pipes and the standard input have told, kept on a disk: they tell it once, and a run may have to read a file
/// more than once.
package final class PipeSpool: Sendable {
  /// The spool of the run that this task is a part of; nil where only files may be read.
  @TaskLocal package static var current: PipeSpool?

  private let folder: String
  private let spooled = Mutex<[String: ScratchFile]>([:])

  /// - Parameter folder: where the bytes are kept, unless the environment's `TMPDIR` names another.
  package init(in folder: String) {
    self.folder = folder
  }

  /// Where the bytes lie that a pipe tells, all of which are waited for.
  ///
  /// - Throws: `OfferliftError`, exit 66 where it cannot be opened, 73 or 74 where its bytes cannot be kept.
  func path(ofPipeAt path: String, displayName: String) throws -> String {
    try spooled.withLock { spooled in
      if let known = spooled[path] { return known.path }
      let pipe = try FileReader(path, displayName: displayName, takesPipes: true)
      let file = try ScratchFile(in: folder)
      var piece = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = try pipe.read(into: &piece, upTo: 1 << 20)
        if count == 0 { break }
        _ = try file.append(Array(piece.prefix(count)))
      }
      spooled[path] = file
      return file.path
    }
  }
}
