import Foundation
import Measurement
import Platform

/// Tells whether two night folders hold the same results.
enum FolderChecksum {
  /// CRC-32 and size of all files but `run.json`, which has a clock in it; nil where there is no folder.
  ///
  ///     8d1f00a2-48211
  ///
  /// - Throws: `OfferliftError` where a file of it cannot be read.
  static func text(of folder: String) throws -> String? {
    guard try Folder.isDirectory(folder) else { return nil }
    var checksum = Checksum()
    var size = 0
    for name in try names(in: folder) where name != NightFiles.runRecord {
      checksum.update(Array(name.utf8) + [0])
      try StoredFile.read((folder as NSString).appendingPathComponent(name)) { bytes in
        checksum.update(bytes)
        size += bytes.count
      }
    }
    return "\(NumberText.checksum(checksum.crc32))-\(size)"
  }

  /// The folder's files and those of folders in it, by path.
  private static func names(in folder: String, below path: String = "") throws -> [String] {
    try Folder.names(in: folder).flatMap { name in
      let inner = (folder as NSString).appendingPathComponent(name)
      return try Folder.isDirectory(inner) ? names(in: inner, below: "\(path)\(name)/") : [path + name]
    }
  }
}
