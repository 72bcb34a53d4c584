import Crypto
import Domain
import Foundation

/// What a file holds, told by its bytes as they lie on the disk, whatever it is called and whenever it was written.
package struct FileDigest: Sendable, Hashable {
  /// Of all bytes.
  package let sha256: [UInt8]
  package let bytes: Int64
  /// Of all bytes, as `Checksum` has it.
  package let crc32: UInt32

  private static let pieceSize = 1 << 18

  /// Reads a file, or its first `limit` bytes; gzip stays packed.
  ///
  /// - Throws: `OfferliftError`, exit 66 where the file cannot be opened, 74 where it cannot be read.
  package init(of path: String, displayName: String, limit: Int64? = nil) throws {
    let file = try FileReader(path, displayName: displayName)
    var (digest, checksum, bytes) = (SHA256(), Checksum(), Int64(0))
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    let limit = limit ?? .max
    while bytes < limit {
      let count = try file.read(into: &piece, upTo: Int(min(Int64(Self.pieceSize), limit - bytes)))
      guard count > 0 else { break }
      piece.withUnsafeBytes { digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      checksum.update(piece.span.extracting(first: count).bytes)
      bytes += Int64(count)
    }
    sha256 = Array(digest.finalize())
    self.bytes = bytes
    crc32 = checksum.crc32
  }

  /// The SHA-256 of a text's bytes.
  package static func sha256(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}

extension Collection<UInt8> {
  /// Two hexadecimal digits a byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
