import Domain
import Foundation

/// The list at an archive's end: which members there are, and where they lie.
///
/// Sizes and places of four bytes, or of eight in the fields of zip64. Source: APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16
/// and 4.5.3.
struct ZipList {
  /// Nothing of it is believed that the file cannot hold.
  struct Damaged: Error {
    let what: String
  }

  private(set) var members: [ZipArchive.Member] = []
  /// Behind the last member's bytes.
  private var start: Int64 = 0

  private static let endSize = 22
  /// The end of an archive may hold a remark of so many bytes.
  private static let longestRemark = 0xffff
  /// So long a list is of some millions of members.
  private static let longest: Int64 = 1 << 28
  /// Deflate packs no more than so many bytes into one. Source: https://zlib.net/zlib_tech.html, "Maximum Compression
  /// Factor".
  private static let mostPacked: Int64 = 1032

  /// - Throws: `Damaged`; `OfferliftError`, exit 74.
  init(of file: RandomAccessFile) throws {
    let (position, end) = try Self.end(of: file)
    var (count, size, start) = (Int64(end.number(10, 2)), end.number(12, 4), end.number(16, 4))
    if let large = try Self.largeEnd(of: file, before: position) {
      (count, size, start) = (large.number(32, 8), large.number(40, 8), large.number(48, 8))
    }
    self.start = start
    guard [0, 0xffff].contains(end.number(4, 2)) else {
      throw Damaged(what: "is one part of a zip archive in several")
    }
    guard start >= 0, size >= 0, size <= Self.longest, start <= position, size <= position - start else {
      throw Damaged(what: "has a damaged list of zip members")
    }
    try read(try file.read(from: start, count: Int(size)))
    // Some writers count to 65,536 and begin anew.
    guard count == Int64(members.count) || count == Int64(members.count & 0xffff) else {
      throw Damaged(what: "has a damaged list of zip members")
    }
  }

  /// The record that ends the archive, and where it lies.
  private static func end(of file: RandomAccessFile) throws -> (position: Int64, bytes: ArraySlice<UInt8>) {
    let start = max(file.size - Int64(endSize + longestRemark), 0)
    let bytes = try file.read(from: start, count: endSize + longestRemark)
    var position = bytes.count - endSize
    while position >= 0 {
      let record = bytes[position...].prefix(endSize)
      if record.number(0, 4) == 0x0605_4b50 { return (start + Int64(position), record) }
      position -= 1
    }
    throw Damaged(what: "is a zip archive without the list of members at its end")
  }

  /// What zip64 says in place of the end's numbers; nil where the archive has none.
  private static func largeEnd(of file: RandomAccessFile, before end: Int64) throws -> ArraySlice<UInt8>? {
    let locator = try file.read(from: max(end - 20, 0), count: 20)[...]
    guard end >= 20, locator.number(0, 4) == 0x0706_4b50 else { return nil }
    let position = locator.number(8, 8)
    guard position >= 0, position <= end - 76 else { throw Damaged(what: "has a damaged list of zip members") }
    let record = try file.read(from: position, count: 56)[...]
    guard record.count == 56, record.number(0, 4) == 0x0606_4b50 else {
      throw Damaged(what: "has a damaged list of zip members")
    }
    return record
  }

  private mutating func read(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let head = rest.prefix(46)
      guard head.count == 46, head.number(0, 4) == 0x0201_4b50 else {
        throw Damaged(what: "has a damaged list of zip members")
      }
      let (name, extra, remark) = (Int(head.number(28, 2)), Int(head.number(30, 2)), Int(head.number(32, 2)))
      let texts = rest.dropFirst(46)
      guard texts.count >= name + extra + remark else { throw Damaged(what: "has a damaged list of zip members") }
      members.append(try member(head, name: texts.prefix(name), extra: texts.dropFirst(name).prefix(extra)))
      rest = texts.dropFirst(name + extra + remark)
    }
  }

  private func member(
    _ head: ArraySlice<UInt8>, name: ArraySlice<UInt8>, extra: ArraySlice<UInt8>
  ) throws -> ZipArchive.Member {
    var large = Self.largeNumbers(extra)
    /// A number of four bytes, or the next one of zip64 in its place.
    func number(_ position: Int) -> Int64? {
      let number = head.number(position, 4)
      guard number == 0xffff_ffff, !large.isEmpty else { return number }
      guard large.count >= 8 else { return nil }
      defer { large = large.dropFirst(8) }
      return large.number(0, 8)
    }
    guard let size = number(24), let packedSize = number(20), let position = number(42), size >= 0, packedSize >= 0,
      position >= 0, position <= start, packedSize <= start - position, size / Self.mostPacked <= packedSize
    else { throw Damaged(what: "tells of a zip member that cannot lie in it") }
    return ZipArchive.Member(
      name: String(decoding: name, as: UTF8.self), size: size, packedSize: packedSize,
      crc32: UInt32(truncatingIfNeeded: head.number(16, 4)), method: UInt(head.number(10, 2)),
      isEncrypted: head.number(8, 2) & 1 != 0, position: position, number: UInt64(members.count))
  }

  /// The field of zip64 among a member's others; empty where it has none.
  private static func largeNumbers(_ extra: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = extra
    while rest.count >= 4 {
      let (kind, size) = (rest.number(0, 2), Int(rest.number(2, 2)))
      let field = rest.dropFirst(4).prefix(size)
      if kind == 1 { return field }
      rest = rest.dropFirst(4 + size)
    }
    return []
  }
}

extension ArraySlice<UInt8> {
  /// The number of `width` bytes at a place, the lowest byte first; what is not there counts as 0.
  func number(_ position: Int, _ width: Int) -> Int64 {
    let bytes = dropFirst(position).prefix(width)
    return Int64(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
