import Domain
import Foundation
import Platform

/// The folder of the event store: whole entries, and hidden ones that are being written.
struct StoreFolder: Sendable {
  let path: String

  /// An entry as it lies there.
  private struct Found {
    var path: String
    var bytes: Int64
    /// In seconds since 1970.
    var lastUse: Double
  }

  func path(of entry: String) -> String { (path as NSString).appendingPathComponent(entry) }

  /// Makes the folder where there is none, and removes what runs that died were writing.
  ///
  /// - Parameter cleaning: removes what else nobody needs, while no other run is here.
  /// - Returns: what keeps others from removing what this run writes.
  /// - Throws: `OfferliftError` naming the path.
  func open(cleaning: () throws -> Void) throws -> SharedLock {
    try Folder.create(path)
    return try SharedLock(path(of: ".lock")) {
      for name in try Folder.names(in: path) where name.hasPrefix(".") && name.hasSuffix(".new") {
        try Folder.remove(path(of: name))
      }
      try cleaning()
    }
  }

  /// Notes that an entry has been used. One that another run has just removed needs no note.
  func noteUse(ofEntryAt path: String) {
    FileState.touch(path)
  }

  /// Removes the entries that were not used for longest, until all together take at most so many bytes.
  ///
  /// - Throws: `OfferliftError` where the folder cannot be read or an entry not be removed.
  func trim(to maxBytes: Int64) throws {
    let entries = try names().compactMap { found(path(of: $0)) }
    var size = entries.reduce(0) { $0 + $1.bytes }
    for entry in entries.sorted(by: { $0.lastUse < $1.lastUse }) where size > maxBytes {
      try Folder.remove(entry.path)
      size -= entry.bytes
    }
  }

  /// The names of all entries, in order; of what else lies there none is ours.
  ///
  /// - Throws: `OfferliftError` where the folder cannot be read.
  func names() throws -> [String] {
    try Folder.names(in: path).filter { try StoreEntry.isName($0) && Folder.isFile(path(of: $0)) }
  }

  /// Nil where another run has removed it.
  private func found(_ path: String) -> Found? {
    FileState(path).map { Found(path: path, bytes: $0.size, lastUse: $0.writtenAt) }
  }
}
