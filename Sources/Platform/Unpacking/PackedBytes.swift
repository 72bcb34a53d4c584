import Crypto
import Domain
import Foundation

/// The bytes of one file in the order in which they lie on the disk, with their number and checksum so far.
final class PackedBytes {
  /// The path for messages.
  let displayName: String
  /// Bytes read from disk so far.
  private(set) var bytesRead: Int64 = 0
  /// CRC-32 of those bytes.
  var crc32: UInt32 { checksum.crc32 }
  private var checksum = Checksum()
  /// SHA-256 of those bytes, where it is wanted.
  private var hash: SHA256?
  /// What the bytes are, as far as they have been read.
  var digest: FileDigest {
    FileDigest(sha256: hash.map { Array($0.finalize()) } ?? [], bytes: bytesRead, crc32: crc32)
  }

  /// Counts the bytes for whoever shows how far the command has come.
  private let meter = ProgressMeter.current
  private let descriptor: Int32
  /// Where the bytes come from that lie in no file of this machine.
  private let feed: (any ByteFeed)?
  /// Bytes that the feed has given, and for which there was no room yet.
  private var fed: ArraySlice<UInt8> = []
  private let buffer: UnsafeMutableRawBufferPointer
  /// Part of `buffer` that has been read from disk, and that nobody has taken.
  private var available: Range<Int> = 0..<0
  private var isAtEndOfFile = false
  /// What ended a feed; told where its bytes have been taken.
  private var damage: CorruptFile?
  /// Where the file lies, where it does.
  let path: String?
  /// How many bytes are read from disk at most.
  private let limit: Int64
  /// Of which path the digest is noted once the whole file has been read.
  private let notedPath: String?

  private static let size = 1 << 18

  /// Opens `path`, which may lead into a zip archive.
  ///
  /// - Parameters:
  ///   - limit: behind how many bytes the file is taken to end; nil: where it does.
  ///   - isHashed: `digest` is to have a SHA-256, and to be noted where all of the file is read.
  /// - Throws: `OfferliftError`, exit 66 where the file cannot be opened or is none, 74 where it cannot be read.
  convenience init(path: String, displayName: String, limit: Int64?, isHashed: Bool) throws {
    let hashed = isHashed ? path : nil
    let descriptor: Int32
    do { descriptor = try RegularFile.open(path, displayName: displayName) } catch {
      guard errno == ENOTDIR, let position = ZipArchive.Position(path) else { throw error }
      self.init(-1, try position.open(displayName), displayName, limit, hashed: hashed)
      try refill()
      return
    }
    self.init(descriptor, nil, displayName, limit, path, hashed: hashed)
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    try refill()
  }

  /// Bytes as they come.
  ///
  /// - Throws: what the feed throws.
  convenience init(_ feed: any ByteFeed, displayName: String, limit: Int64?) throws {
    self.init(-1, feed, displayName, limit)
    try refill()
  }

  private init(
    _ descriptor: Int32, _ feed: (any ByteFeed)?, _ displayName: String, _ limit: Int64?, _ path: String? = nil,
    hashed: String? = nil
  ) {
    hash = hashed.map { _ in SHA256() }
    notedPath = limit == nil ? hashed : nil
    (self.descriptor, self.feed, self.path) = (descriptor, feed, path)
    (self.displayName, self.limit) = (displayName, limit ?? .max)
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.size + Inflater.slack, alignment: 64)
    buffer = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.size])
  }

  /// Bytes that are at hand.
  init(_ bytes: [UInt8], displayName: String) {
    (descriptor, feed, self.displayName, limit, path) = (-1, nil, displayName, .max, nil)
    notedPath = nil
    buffer = .allocate(byteCount: max(bytes.count, 1), alignment: 64)
    buffer.copyBytes(from: bytes)
    available = 0..<bytes.count
    isAtEndOfFile = true
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.baseAddress?.deallocate()
  }

  /// What has been read, and nobody has taken; valid until more is read.
  var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[available]) }

  /// How many bytes have been taken.
  var bytesConsumed: Int64 { bytesRead - Int64(available.count) }

  /// Takes the first `count` of the unread bytes.
  func accept(_ count: Int) { available = available.dropFirst(count) }

  /// Reads on from disk, keeping what is unread; that stays as it is at the end of the file.
  func refill() throws {
    if let damage, available.isEmpty { throw damage }
    guard !isAtEndOfFile else { return }
    let retained = available.count
    if retained > 0 { buffer.copyMemory(from: unread) }
    available = 0..<retained
    while available.count < buffer.count {
      let wanted = min(buffer.count - available.count, Int(min(limit - bytesRead, Int64(buffer.count))))
      let room = UnsafeMutableRawBufferPointer(start: buffer.baseAddress! + available.count, count: wanted)
      let count =
        try feed.map { try accept(from: $0, into: room) } ?? Foundation.read(descriptor, room.baseAddress!, wanted)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw ReadFailure.error(displayName, byte: bytesRead)
      }
      if count == 0 {
        isAtEndOfFile = true
        if let notedPath, damage == nil { FileDigest.note(digest, of: notedPath) }
        break
      }
      let new = UnsafeRawBufferPointer(start: buffer.baseAddress! + available.count, count: count)
      checksum.update(new.bytes)
      hash?.update(bufferPointer: new)
      bytesRead += Int64(count)
      meter?.add(count)
      available = 0..<(available.count + count)
    }
  }

  /// Puts what a feed has at the beginning of `room`, and returns how many bytes that is.
  private func accept(from feed: any ByteFeed, into room: UnsafeMutableRawBufferPointer) throws -> Int {
    if fed.isEmpty, !room.isEmpty {
      do { fed = try feed.next()?[...] ?? [] } catch let corrupt as CorruptFile { damage = corrupt }
    }
    let part = fed.prefix(room.count)
    room.copyBytes(from: part)
    fed = fed.dropFirst(part.count)
    return part.count
  }

  /// Reads the rest of the file for its size and checksum alone.
  func drain() throws {
    damage = nil
    repeat {
      available = 0..<0
      try refill()
    } while !available.isEmpty
  }

  /// Hands on the bytes of a file as they lie, piece by piece.
  static func forEachPiece(
    of path: String, displayName: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let bytes = try PackedBytes(path: path, displayName: displayName, limit: nil, isHashed: false)
    while !bytes.unread.isEmpty {
      try body(bytes.unread)
      bytes.accept(bytes.unread.count)
      try bytes.refill()
    }
  }

  /// The error of bytes that are damaged where the unread ones begin.
  func corrupt(_ what: String, remedy: String = CorruptFile.usualRemedy) -> CorruptFile {
    CorruptFile(file: displayName, byte: bytesConsumed, what: what, remedy: remedy)
  }
}
