import Domain
import Foundation
import Platform
import Synchronization

/// The bytes of a file that is not packed: they wait on the task's disk until all have come, because only the file's end
/// tells whether Hadoop has taken a byte order mark from its beginning.
final class SpooledFeed: ByteFeed {
  private let scratch: ScratchFile
  private let beginning: [UInt8]
  private let position = Mutex<Int64>(0)
  /// So many bytes are written and read at once, about.
  private static let pieceSize: Int64 = 1 << 20

  /// - Throws: `OfferliftError` (73 or 74) where the disk does not take it, or the rows do not make up the file.
  init(_ file: SparkFile, in folder: String) throws {
    scratch = try ScratchFile(in: folder)
    var waiting: [UInt8] = []
    while let bytes = try file.next() {
      waiting += bytes
      if waiting.count >= Self.pieceSize {
        _ = try scratch.append(waiting)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    _ = try scratch.append(waiting)
    beginning = file.hasMark ? SparkFile.mark : []
  }

  func next() throws -> [UInt8]? {
    try position.withLock { position in
      if position < beginning.count {
        position = Int64(beginning.count)
        return beginning
      }
      let start = position - Int64(beginning.count)
      var bytes = [UInt8](repeating: 0, count: Int(min(Self.pieceSize, scratch.size - start)))
      guard !bytes.isEmpty else { return nil }
      try scratch.read(from: start, into: &bytes)
      position += Int64(bytes.count)
      return bytes
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
