import Domain
import Foundation
import Platform
import Synchronization

/// The files of a run as they were when it found them: figures are of bytes that stood still while they were read.
///
/// A run looks at a file several times, for its size, for what it shares with another, for who is who, for its events. One
/// that is written on, cut, emptied or replaced between the first look and the last would be other rows each time.
package final class InputWatch: Sendable {
  private let found = Mutex<[String: Found]>([:])

  private struct Found {
    var displayName: String
    var state: FileState?

    /// Another file stands there, or it is written on. One that is gone was read whole, or could not be opened: a plan for
    /// Spark takes away the copies that it was made of.
    func isOther(at path: String) -> Bool { FileState(path).map { $0 != state } ?? false }
  }

  /// Files have changed while they were read.
  struct Changed: Error {
    /// As messages have them, in order.
    let files: [String]
  }

  /// Takes a file that the run has found, and will read.
  func note(_ path: String, displayName: String) {
    found.withLock { found in
      if found[path] == nil { found[path] = Found(displayName: displayName, state: FileState(path)) }
    }
  }

  /// - Parameter path: of a file that has been read to its end; of one that nobody noted nothing is known.
  /// - Throws: `Changed` where it is not what it was.
  func refuseChanged(_ path: String) throws(Changed) {
    guard let (position, noted) = noted(path) ?? ZipArchive.Position(path).flatMap({ noted($0.archive) }),
      noted.isOther(at: position)
    else { return }
    throw Changed(files: [noted.displayName])
  }

  private func noted(_ path: String) -> (String, Found)? { found.withLock { found in found[path].map { (path, $0) } } }

  /// Those of all files that are not what they were, in order of their names.
  private var changed: [String] {
    found.withLock { $0 }.filter { $1.isOther(at: $0) }.map(\.value.displayName).sorted()
  }

  /// Reads a run's inputs; where files of them changed meanwhile, once more from the beginning.
  ///
  /// - Returns: what reading came to, and which files it took a second time for.
  /// - Throws: `OfferliftError`, exit 65, where files changed while they were read again; what `read` throws of files that
  ///   stood still.
  package static func settled<Value>(
    _ read: (InputWatch) async throws -> Value
  ) async throws -> (value: Value, changed: [String]) {
    let (first, changed) = await attempt(read)
    guard !changed.isEmpty, !Task.isCancelled else { return (try first.get(), []) }
    let (second, changedAgain) = await attempt(read)
    guard let file = changedAgain.first else { return (try second.get(), changed) }
    let others = changedAgain.count - 1
    let more = others > 0 ? " (as did \(Phrase.count(others, "other input file")))" : ""
    throw OfferliftError(
      .badData,
      "\(file) changed while it was read, and once more when it was read again\(more): no figure can be told of it. Run again "
        + "when it is written, or name only files that are.")
  }

  private static func attempt<Value>(
    _ read: (InputWatch) async throws -> Value
  ) async -> (Result<Value, any Error>, [String]) {
    let watch = InputWatch()
    do {
      let value = try await read(watch)
      return (.success(value), watch.changed)
    } catch let changed as Changed {
      return (.failure(changed), changed.files)
    } catch {
      // What is wrong with a file that moved is of no account: it may be cut in the middle of a row.
      return (.failure(error), watch.changed)
    }
  }

  /// What to tell of files that were read a second time.
  package static func warnings(of changed: [String]) -> [String] {
    changed.map { "\($0) changed while it was read; everything was read again." }
  }
}
