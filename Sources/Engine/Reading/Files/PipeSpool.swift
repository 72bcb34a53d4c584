import Domain
import Foundation
import Platform
import Synchronization

/// What named pipes and the standard input have told, kept on a disk: they tell it once, and a run may have to read a file
/// more than once.
package final class PipeSpool: Sendable {
  private let folder: String
  private let patience: Duration?
  private let spooled = Mutex<[String: ScratchFile]>([:])

  /// A writer that is started beside the run opens the pipe at once.
  package static let usualPatience = Duration.seconds(5)

  /// - Parameters:
  ///   - folder: where the bytes are kept, unless the environment's `TMPDIR` names another.
  ///   - patience: how long whoever writes to a pipe is waited for; nil waits for ever.
  package init(in folder: String, patience: Duration? = PipeSpool.usualPatience) {
    self.folder = folder
    self.patience = patience
  }

  /// Where the bytes lie that a pipe tells, all of which are waited for.
  ///
  /// - Throws: `OfferliftError`, exit 66 where it cannot be opened or nobody writes to it, 73 or 74 where its bytes cannot be kept.
  func path(ofPipeAt path: String, displayName: String) throws -> String {
    try spooled.withLock { spooled in
      if let known = spooled[path] { return known.path }
      var pipe = try PipeReader(path, displayName: displayName, patience: patience)
      let file = try ScratchFile(in: folder)
      while true {
        let piece = try pipe.next()
        if piece.isEmpty { break }
        _ = try file.append(piece)
      }
      spooled[path] = file
      return file.path
    }
  }
}
