import Domain
import Foundation
import Platform
import Synchronization

/// The bytes of a file that is not packed: they wait on the task's disk until all have come, because only the file's end
/// tells whether Hadoop has taken a byte order mark from its beginning.
final class SpooledFeed: ByteFeed {
  private let scratch: ScratchFile
  private let beginning: [UInt8]
  private let place = Mutex<Int64>(0)

  /// - Throws: `OfferliftError` (73 or 74) where the disk does not take it, or the rows do not make up the file.
  init(_ file: SparkFile, in folder: String) throws {
    scratch = try ScratchFile(in: folder)
    var waiting: [UInt8] = []
    while let bytes = try file.next() {
      waiting += bytes
      if waiting.count >= 1 << 20 {
        _ = try scratch.append(waiting)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    _ = try scratch.append(waiting)
    beginning = file.hasMark ? SparkFile.mark : []
  }

  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    try place.withLock { place in
      if place < beginning.count {
        let part = beginning[Int(place)...].prefix(room.count)
        room.copyBytes(from: part)
        place += Int64(part.count)
        return part.count
      }
      let start = place - Int64(beginning.count)
      let count = min(room.count, Int(scratch.size - start))
      guard count > 0 else { return 0 }
      var bytes = [UInt8](repeating: 0, count: count)
      try scratch.read(from: start, into: &bytes)
      room.copyBytes(from: bytes)
      place += Int64(count)
      return count
    }
  }
}

/// A file that has to lie on a disk under a name to be read, as a database has.
struct WholeFile {
  let path: String

  /// - Throws: `OfferliftError` (73 or 74) where the disk does not take it, or the rows do not make up the file.
  init(_ file: SparkFile, named folder: String) throws {
    path = Folder.hiddenSibling(of: folder + "/input")
    let writer = try FileWriter(beginning: path)
    while let bytes = try file.next() { try writer.write(bytes) }
    try writer.finish()
  }

  func remove() { try? Folder.remove(path) }
}
