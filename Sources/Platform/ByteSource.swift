import CISAL
import Domain
import Foundation

/// The bytes of one file, unpacked where it is gzip, with its size and checksum as it lies on disk.
///
/// Whether a file is gzip is told by its first two bytes, never by its name. Every member of a multi-member
/// file is read; ISA-L verifies each trailer's checksum and length.
package final class ByteSource {
  /// The path for messages.
  let displayName: String
  /// Bytes read from disk so far.
  package private(set) var bytesRead: Int64 = 0
  /// How many of them have been unpacked.
  package var bytesTaken: Int64 { bytesRead - Int64(available.count) }
  /// CRC-32 of those bytes.
  package var crc32: UInt32 { checksum.crc32 }
  private var checksum = Checksum()

  /// Counts the bytes for whoever shows how far the command has come.
  private let meter = ProgressMeter.current
  private let descriptor: Int32
  /// Where the bytes come from that lie in no file of this machine.
  private let feed: (any ByteFeed)?
  /// Bytes that the feed has given, and for which there was no room yet.
  private var fed: ArraySlice<UInt8> = []
  private let packed: UnsafeMutableRawBufferPointer
  /// Unread part of `packed`.
  private var available: Range<Int> = 0..<0
  private var isAtEndOfFile = false
  /// How many bytes are read from disk at most.
  private let limit: Int64
  private var inflater: Inflater?

  private static let packedSize = 1 << 18
  /// ISA-L looks a few bytes beyond its input where the data is damaged.
  private static let packedSlack = 64

  /// Opens `path` and looks at its first bytes.
  ///
  /// - Parameter limit: behind how many bytes the file is taken to end; nil: where it does.
  /// - Throws: `OfferliftError`, exit 66 where the file cannot be opened, 74 where it cannot be read.
  package init(path: String, displayName: String, limit: Int64? = nil) throws {
    self.displayName = displayName
    self.limit = limit ?? .max
    feed = nil
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw OfferliftError(
        .inputMissing, "\(displayName): cannot be opened (\(systemMessage())); check the path and its rights.")
    }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.packedSize + Self.packedSlack, alignment: 64)
    packed = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.packedSize])
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    try refill()
    if startsWithGzipMagic { inflater = Inflater() }
  }

  /// Bytes that are at hand, as they are.
  package init(_ bytes: [UInt8], displayName: String) {
    self.displayName = displayName
    limit = .max
    descriptor = -1
    feed = nil
    packed = .allocate(byteCount: max(bytes.count, 1), alignment: 64)
    packed.copyBytes(from: bytes)
    available = 0..<bytes.count
    isAtEndOfFile = true
  }

  /// Bytes as they come.
  ///
  /// - Parameter limit: behind how many bytes they are taken to end; nil: where they do.
  /// - Throws: what the feed throws.
  package init(_ feed: any ByteFeed, displayName: String, limit: Int64? = nil) throws {
    self.displayName = displayName
    self.limit = limit ?? .max
    self.feed = feed
    descriptor = -1
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.packedSize + Self.packedSlack, alignment: 64)
    packed = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.packedSize])
    try refill()
    if startsWithGzipMagic { inflater = Inflater() }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    packed.baseAddress?.deallocate()
  }

  /// The file is gzip.
  package var isPacked: Bool { inflater != nil }

  /// Fills `buffer` from its start with unpacked bytes; returns how many, 0 at the end of the file.
  ///
  /// - Throws: `CorruptFile` where the gzip data is damaged or cut off; `OfferliftError`, exit 74.
  package func read(into buffer: inout MutableSpan<UInt8>) throws -> Int {
    try buffer.withUnsafeMutableBytes { try read(into: $0) }
  }

  /// The next unpacked bytes, at most `count` of them; none at the end of the file.
  ///
  /// - Throws: as `read(into:)`.
  package func read(upTo count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { $1 = try read(into: UnsafeMutableRawBufferPointer($0)) }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !buffer.isEmpty else { return 0 }
    return try inflater.map { try inflate($0, into: buffer) } ?? copy(into: buffer)
  }

  private func copy(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if available.isEmpty { try refill() }
    let count = min(buffer.count, available.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: packed[available.prefix(count)]))
    available = available.dropFirst(count)
    return count
  }

  private func inflate(_ inflater: Inflater, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var produced = 0
    while produced < buffer.count {
      if inflater.isFinished {
        guard try startNextMember(inflater) else { break }
      }
      if available.isEmpty {
        try refill()
        if available.isEmpty { throw corrupt("ends in the middle of its gzip data") }
      }
      let step = inflater.run(
        from: UnsafeRawBufferPointer(rebasing: packed[available]),
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[produced...]))
      available = available.dropFirst(step.consumed)
      produced += step.produced
      if let fault = step.fault { throw corrupt(fault) }
    }
    return produced
  }

  /// Looks behind a finished member: true where another one begins, false at the end of the file.
  private func startNextMember(_ inflater: Inflater) throws -> Bool {
    if available.count < 4 { try refill() }
    if available.isEmpty { return false }
    if startsWithGzipMagic {
      if hasReservedFlag { throw corrupt("has a damaged gzip header") }
      inflater.restart()
      return true
    }
    // Tape blocks and some writers pad with zeros, between members too; anything else is damage.
    guard try skipZeros() else { return false }
    guard startsWithGzipMagic else { throw corrupt("has bytes behind its gzip data that are not gzip") }
    return try startNextMember(inflater)
  }

  /// Moves to the next byte that is not zero, with three more at hand where there are; false where there is none.
  private func skipZeros() throws -> Bool {
    while !available.isEmpty {
      if let next = packed[available].firstIndex(where: { $0 != 0 }) {
        available = next..<available.upperBound
        if available.count < 4 { try refill() }
        return true
      }
      available = available.upperBound..<available.upperBound
      try refill()
    }
    return false
  }

  private var startsWithGzipMagic: Bool {
    available.count >= 2 && packed[available.lowerBound] == 0x1f && packed[available.lowerBound + 1] == 0x8b
  }

  /// RFC 1952 wants the upper three flags to be zero and readers to check that; ISA-L does not.
  private var hasReservedFlag: Bool {
    available.count >= 4 && packed[available.lowerBound + 3] & 0xe0 != 0
  }

  /// Reads on from disk, keeping what is unread; `available` stays as it is at the end of the file.
  private func refill() throws {
    guard !isAtEndOfFile else { return }
    let kept = available.count
    if kept > 0 { packed.copyMemory(from: UnsafeRawBufferPointer(rebasing: packed[available])) }
    available = 0..<kept
    while available.count < packed.count {
      let wanted = min(packed.count - available.count, Int(min(limit - bytesRead, Int64(packed.count))))
      let room = UnsafeMutableRawBufferPointer(start: packed.baseAddress! + available.count, count: wanted)
      let count =
        try feed.map { try take(from: $0, into: room) } ?? Foundation.read(descriptor, room.baseAddress!, wanted)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw OfferliftError(.inputOutput, "\(displayName), byte \(bytesRead): cannot be read (\(systemMessage())).")
      }
      if count == 0 {
        isAtEndOfFile = true
        break
      }
      checksum.update(UnsafeRawBufferPointer(start: packed.baseAddress! + available.count, count: count).bytes)
      bytesRead += Int64(count)
      meter?.add(count)
      available = 0..<(available.count + count)
    }
  }

  /// Puts what a feed has at the beginning of `room`, and returns how many bytes that is.
  private func take(from feed: any ByteFeed, into room: UnsafeMutableRawBufferPointer) throws -> Int {
    if fed.isEmpty, !room.isEmpty { fed = try feed.next()?[...] ?? [] }
    let part = fed.prefix(room.count)
    room.copyBytes(from: part)
    fed = fed.dropFirst(part.count)
    return part.count
  }

  /// Reads the rest of the file for its size and checksum alone.
  package func drain() throws {
    repeat {
      available = 0..<0
      try refill()
    } while !available.isEmpty
  }

  private func corrupt(_ what: String) -> CorruptFile {
    CorruptFile(file: displayName, byte: bytesRead - Int64(available.count), what: what)
  }
}

/// A gzip file that is cut off or fails its checksum.
package struct CorruptFile: Error {
  let file: String
  /// How far the packed file was read.
  let byte: Int64
  let what: String

  /// Where and what, as the beginning of a sentence.
  package var fault: String { "\(file), byte \(byte): the file \(what)" }
}

/// One ISA-L stream: gzip members one after another.
private final class Inflater {
  private let state: UnsafeMutablePointer<inflate_state>
  /// Between two members, or before the first.
  private(set) var isFinished = true

  init() {
    state = .allocate(capacity: 1)
    isal_inflate_init(state)
    state.pointee.crc_flag = UInt32(ISAL_GZIP)
  }

  deinit {
    state.deallocate()
  }

  func restart() {
    isal_inflate_reset(state)
    state.pointee.crc_flag = UInt32(ISAL_GZIP)
    isFinished = false
  }

  struct Step {
    var consumed: Int
    var produced: Int
    var fault: String?
  }

  func run(from input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
    let inputStart = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress!)
    let outputCount = min(output.count, 1 << 30)
    state.pointee.next_in = inputStart
    state.pointee.avail_in = UInt32(input.count)
    state.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress!
    state.pointee.avail_out = UInt32(outputCount)
    let status = isal_inflate(state)
    isFinished = state.pointee.block_state == ISAL_BLOCK_FINISH
    // In damaged data ISA-L may count below zero.
    let left = max(0, min(input.count, Int(Int32(bitPattern: state.pointee.avail_in))))
    return Step(
      consumed: input.count - left,
      produced: outputCount - Int(state.pointee.avail_out),
      fault: Self.fault(status))
  }

  private static func fault(_ status: Int32) -> String? {
    switch status {
    case ISAL_INCORRECT_CHECKSUM: "fails its gzip checksum"
    case ISAL_INVALID_WRAPPER, ISAL_UNSUPPORTED_METHOD: "has a damaged gzip header"
    case let negative where negative < 0: "has damaged gzip data"
    default: nil
    }
  }
}

/// The system's words for `errno`.
func systemMessage(_ code: Int32 = errno) -> String {
  String(cString: strerror(code))
}
