import Crypto
import Foundation
import Synchronization

/// What a file holds, told by its bytes as they lie on the disk, whatever it is called and whenever it was written.
package struct FileDigest: Sendable, Hashable {
  /// Of all bytes; empty where nobody has asked for it.
  package let sha256: [UInt8]
  package let bytes: Int64
  /// Of all bytes, as `Checksum` has it.
  package let crc32: UInt32

  /// Reads a file, or its first `limit` bytes; what is packed stays so.
  ///
  /// - Throws: `OfferliftError`, exit 66 where the file cannot be opened, 74 where it cannot be read; `CorruptFile` of a
  ///   member of an archive that is damaged.
  package init(of path: String, displayName: String, limit: Int64? = nil) throws {
    self = try ProgressMeter.$current.withValue(nil) {
      let bytes = try PackedBytes(path: path, displayName: displayName, limit: limit, isHashed: true)
      while !bytes.unread.isEmpty {
        bytes.accept(bytes.unread.count)
        try bytes.refill()
      }
      return bytes.digest
    }
  }

  private static let known = Mutex<[String: FileDigest]>([:])

  /// Takes what a whole file holds, so that `known(of:)` need not read it: made by this process, or by an earlier one
  /// since when the file stands untouched.
  package static func note(_ digest: FileDigest, of path: String) { known.withLock { $0[path] = digest } }

  /// Something was noted of the file, which may be another one by now.
  static func isNoted(of path: String) -> Bool { known.withLock { $0[path] != nil } }

  /// The digest of a file of which size and checksum are known: the one that was noted, else read anew.
  ///
  /// - Returns: nil where the file cannot be read any more, or holds something else by now.
  package static func known(of path: String, displayName: String, bytes: Int64, crc32: UInt32) -> FileDigest? {
    func isIt(_ digest: FileDigest) -> Bool { digest.bytes == bytes && digest.crc32 == crc32 }
    if let made = known.withLock({ $0[path] }), isIt(made) { return made }
    return (try? FileDigest(of: path, displayName: displayName)).flatMap { isIt($0) ? $0 : nil }
  }

  /// What is known of a file that has been read.
  package init(sha256: [UInt8] = [], bytes: Int64, crc32: UInt32) {
    (self.sha256, self.bytes, self.crc32) = (sha256, bytes, crc32)
  }

  /// The SHA-256 of a text's bytes.
  package static func sha256(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}

/// The SHA-256 as one value, not a number a byte.
extension FileDigest: Codable {
  private enum Key: CodingKey { case sha256, bytes, crc32 }

  package init(from decoder: any Decoder) throws {
    let reported = try decoder.container(keyedBy: Key.self)
    sha256 = Array(try reported.decode(Data.self, forKey: .sha256))
    bytes = try reported.decode(Int64.self, forKey: .bytes)
    crc32 = try reported.decode(UInt32.self, forKey: .crc32)
  }

  package func encode(to encoder: any Encoder) throws {
    var reported = encoder.container(keyedBy: Key.self)
    try reported.encode(Data(sha256), forKey: .sha256)
    try reported.encode(bytes, forKey: .bytes)
    try reported.encode(crc32, forKey: .crc32)
  }
}

extension Collection<UInt8> {
  /// Two hexadecimal digits a byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
