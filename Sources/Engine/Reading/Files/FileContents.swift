import Crypto
import Foundation
import Platform

/// What a file holds once it is unpacked, looked at no further than it takes to tell it from another.
final class FileContents {
  /// The first bytes, unpacked.
  private let beginning: [UInt8]
  /// CRC-32 of these: files that begin otherwise mostly have another.
  let checksumOfBeginning: UInt32
  private let file: InputFile
  /// In bytes, as it lies on the disk.
  private let size: Int64
  private let packing: Packing?
  private let isUTF16: Bool
  private var known: Digest?
  /// Of a gzip file what its last member says of itself, of one that comes as it lies its length; nil where that is not known.
  private lazy var end: End? =
    switch packing {
    case _ where isUTF16: nil
    case .gzip: GzipHeaders.end(of: file, size: size)
    case .zstd: nil
    case nil: End(length: UInt32(truncatingIfNeeded: size))
    }
  private lazy var hasSeveralMembers = packing == .gzip && GzipHeaders.areSeveral(in: file)

  /// How much is unpacked to tell files apart, and how much of the file is read for it.
  private static let unpacked = 1 << 12
  private static let packed: Int64 = 1 << 16

  /// Looks at the beginning of a file; nil where that is damaged, or cannot be opened.
  ///
  /// - Parameter size: in bytes, as it lies on the disk.
  /// - Throws: `OfferliftError` where it could not be read just now, and whoever reads it may not notice.
  init?(_ file: InputFile, size: Int64) throws {
    (self.file, self.size) = (file, size)
    do {
      let limit = min(Self.packed, file.limit ?? .max)
      let source = try ByteSource(path: file.path, displayName: file.displayName, limit: limit)
      beginning = try source.read(upTo: Self.unpacked)
      var checksum = Checksum()
      checksum.update(beginning)
      checksumOfBeginning = checksum.crc32
      (packing, isUTF16) = (source.packing, try source.isUTF16)
    } catch {
      guard Self.isReportedByReaders(error, of: file) else { throw error }
      return nil
    }
  }

  /// Whoever reads the file comes to the same error: it is damaged, or cannot be opened still.
  private static func isReportedByReaders(_ error: any Error, of file: InputFile) -> Bool {
    if error is CorruptFile { return true }
    do { return access(try ZipArchive.Position(lookingAt: file.path)?.archive ?? file.path, R_OK) != 0 } catch {
      return false
    }
  }

  /// Of the whole file; nil where it cannot be read to its end: whoever reads it says so.
  ///
  /// - Throws: as `init`.
  func digest() throws -> Digest? {
    if let known { return known }
    do { known = try Digest(file) } catch {
      guard Self.isReportedByReaders(error, of: file) else { throw error }
    }
    return known
  }

  /// Its bytes are those that lie on the disk.
  private var isPlain: Bool { packing == nil && !isUTF16 }

  /// Both hold the same bytes.
  ///
  /// - Throws: as `init`.
  func isEqual(to other: FileContents) throws -> Bool {
    guard beginning == other.beginning, mayBeAsLong(as: other) else { return false }
    guard let digest = try digest(), let reported = try other.digest() else { return false }
    return digest.sha256 == reported.sha256
  }

  /// Whether the two may be equally long, by their sizes and by the ends of gzip members. A member's end tells the length
  /// and the checksum of that member alone.
  private func mayBeAsLong(as other: FileContents) -> Bool {
    if isPlain, other.isPlain { return size == other.size }
    guard let end, let otherEnd = other.end else { return true }
    return end.matches(otherEnd) || hasSeveralMembers || other.hasSeveralMembers
  }

  /// What stands at the end of a gzip member.
  private struct End {
    var length: UInt32
    /// Nil where it is not known.
    var crc32: UInt32?

    func matches(_ other: End) -> Bool {
      length == other.length && (crc32 == nil || other.crc32 == nil || crc32 == other.crc32)
    }
  }

  /// A file that was read to its end.
  struct Digest {
    /// Of its bytes, unpacked.
    let sha256: [UInt8]
    let bytesOnDisk: Int64
    let crc32OnDisk: UInt32

    /// - Throws: as `ByteSource`.
    init(_ file: InputFile) throws {
      let source = try file.open()
      var digest = SHA256()
      while true {
        let piece = try source.read(upTo: 1 << 18)
        if piece.isEmpty { break }
        digest.update(data: piece)
      }
      try source.drain()
      (sha256, bytesOnDisk, crc32OnDisk) = (Array(digest.finalize()), source.bytesRead, source.crc32)
    }
  }

  /// What a gzip file tells without being unpacked.
  private enum GzipHeaders {
    /// Nil where the file ends otherwise, in a padding of zeros say.
    ///
    /// Source: RFC 1952, section 2.3.1.
    static func end(of file: InputFile, size: Int64) -> End? {
      guard let handle = FileHandle(forReadingAtPath: file.path) else { return nil }
      defer { try? handle.close() }
      guard size > 18, (try? handle.seek(toOffset: UInt64(size - 8))) != nil,
        let bytes = try? handle.read(upToCount: 8), bytes.count == 8, bytes.contains(where: { $0 != 0 })
      else { return nil }
      let number = { (position: Int) in
        bytes.dropFirst(position).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      return End(length: number(4), crc32: number(0))
    }

    /// Whether what looks like the header of a member stands behind the file's first, or may stand there.
    static func areSeveral(in file: InputFile) -> Bool {
      guard let reader = try? FileReader(file.path, displayName: file.displayName) else { return true }
      var piece = [UInt8](repeating: 0, count: 1 << 20)
      var (retained, offset) = (0, Int64(0))
      while true {
        guard let count = try? reader.read(into: &piece, at: retained, upTo: (1 << 20) - retained) else { return true }
        guard count > 0 else { return false }
        let filled = retained + count
        let found = piece.withText { text in
          var start = offset == 0 ? 1 : 0
          while let position = text.slice(0..<filled).position(of: UInt8(0x1f), from: min(start, filled)) {
            if position + 10 <= filled, isHeader(text, position) { return true }
            start = position + 1
          }
          return false
        }
        if found { return true }
        retained = min(filled, 9)
        piece.replaceSubrange(0..<retained, with: piece[filled - retained..<filled])
        offset += Int64(filled - retained)
      }
    }

    /// Ten bytes look like a header: magic, method, no reserved flag, what a packer says of itself and its system.
    private static func isHeader(_ text: Text, _ position: Int) -> Bool {
      text[position + 1] == 0x8b && text[position + 2] == 8 && text[position + 3] & 0xe0 == 0
        && [0, 2, 4].contains(text[position + 8]) && (text[position + 9] <= 13 || text[position + 9] == 255)
    }
  }
}
