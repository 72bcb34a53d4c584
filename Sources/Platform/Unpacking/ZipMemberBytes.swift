import Domain
import Foundation

/// The bytes of one member, as they are unpacked; their number and checksum must be those that the archive's list tells.
///
/// One thread at a time reads a file.
final class ZipMemberBytes: ByteFeed, @unchecked Sendable {
  private let member: ZipArchive.Member
  private let displayName: String
  private let archive: RandomAccessFile
  /// Unpacks what is deflated; nil where the member's bytes lie in the archive as they are.
  private let inflater: Inflater?
  /// Where the member's next packed bytes lie; nil before the first.
  private var position: Int64?
  private var packedLeft: Int64
  private var left: Int64
  private var checksum = Checksum()
  private let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize + Inflater.slack, alignment: 64)
  private var unread = 0..<0

  private static let pieceSize = 1 << 17

  /// - Throws: `OfferliftError`, exit 66, where the archive cannot be opened.
  init(_ member: ZipArchive.Member, in path: String, displayName: String) throws {
    (self.member, self.displayName, left, packedLeft) = (member, displayName, member.size, member.packedSize)
    archive = try RandomAccessFile(path, displayName: displayName)
    inflater = member.method == 0 ? nil : Inflater(.bare)
    inflater?.restart()
  }

  deinit { packed.deallocate() }

  /// - Throws: `CorruptFile`; `OfferliftError`, exit 74.
  func next() throws -> [UInt8]? {
    if position == nil { position = try begin() }
    let piece = try inflater.map { try unpack($0) } ?? accept()
    left -= Int64(piece.count)
    checksum.update(piece)
    if !piece.isEmpty, left >= 0 { return piece }
    guard left == 0, packedLeft == 0, unread.isEmpty else {
      throw corrupt("is of another length than the archive says")
    }
    guard checksum.crc32 == member.crc32 else { throw corrupt("fails its checksum") }
    return nil
  }

  /// Where the member's bytes lie: behind a header of its own, whose name and fields may be of other lengths than the list's.
  private func begin() throws -> Int64 {
    let head = try archive.read(from: member.position, count: 30)[...]
    guard head.count == 30, head.number(0, 4) == 0x0403_4b50 else { throw corrupt("has a damaged header") }
    return member.position + 30 + head.number(26, 2) + head.number(28, 2)
  }

  /// The next packed bytes; none behind the last.
  private func accept() throws -> [UInt8] {
    let wanted = Int(min(packedLeft, Int64(Self.pieceSize)))
    guard wanted > 0, let position else { return [] }
    let bytes = try archive.read(from: position, count: wanted)
    guard bytes.count == wanted else { throw corrupt("ends before its bytes do") }
    (self.position, packedLeft) = (position + Int64(wanted), packedLeft - Int64(wanted))
    return bytes
  }

  private func unpack(_ inflater: Inflater) throws -> [UInt8] {
    var fault: String?
    let piece = try [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { room, count in
      while count < room.count, !inflater.isFinished, fault == nil {
        if unread.isEmpty {
          let bytes = try accept()
          packed.copyBytes(from: bytes)
          unread = 0..<bytes.count
        }
        let step = inflater.run(
          from: UnsafeRawBufferPointer(rebasing: packed[unread]),
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...]))
        unread = unread.dropFirst(step.consumed)
        count += step.produced
        if step.fault != nil {
          fault = "has damaged data"
        } else if step.consumed + step.produced == 0, !inflater.isFinished {
          fault = "ends in the middle of its data"
        }
      }
    }
    if let fault { throw corrupt(fault) }
    return piece
  }

  private func corrupt(_ what: String) -> CorruptFile {
    CorruptFile(file: displayName, byte: position ?? member.position, what: "\(what), by that byte of its archive")
  }
}
