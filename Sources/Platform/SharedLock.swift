import Domain
import Foundation

/// A lock on a folder that any number of runs work in, until they end, however they do.
package final class SharedLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock together with others. Whoever finds nobody else there calls `cleaning` first, with nobody coming in.
  ///
  /// - Parameter path: the lock's own file, made where there is none.
  /// - Throws: as `StoredFile.openLock` and `StoredFile.lock`, and what `cleaning` throws.
  package init(_ path: String, cleaning: () throws -> Void) throws {
    descriptor = try StoredFile.openLock(path)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try cleaning() }
    try StoredFile.lock(descriptor, LOCK_SH, path)
  }

  deinit {
    close(descriptor)
  }
}
