/// Gzip members one after another, by ISA-L, which verifies each trailer's checksum and length.
final class GzipUnpacker: Unpacker {
  private let inflater = Inflater(.gzip)

  static func isBeginning(of bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

  func unpack(_ packed: PackedBytes, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var produced = 0
    while produced < buffer.count {
      if inflater.isFinished {
        guard try startNextMember(packed) else { break }
      }
      if packed.unread.isEmpty {
        try packed.refill()
        if packed.unread.isEmpty { throw packed.corrupt("ends in the middle of its gzip data") }
      }
      let step = inflater.run(from: packed.unread, into: UnsafeMutableRawBufferPointer(rebasing: buffer[produced...]))
      packed.accept(step.consumed)
      produced += step.produced
      if let fault = step.fault { throw packed.corrupt(fault) }
    }
    return produced
  }

  /// Looks behind a finished member: true where another one begins, false at the end of the file.
  private func startNextMember(_ packed: PackedBytes) throws -> Bool {
    if packed.unread.count < 4 { try packed.refill() }
    if packed.unread.isEmpty { return false }
    if Self.isBeginning(of: packed.unread) {
      if Self.hasReservedFlag(packed.unread) { throw packed.corrupt("has a damaged gzip header") }
      // Of a header that ISA-L sees in two pieces it keeps too little.
      if GzipHeader.length(of: packed.unread) == nil { try packed.refill() }
      inflater.restart()
      return true
    }
    // Tape blocks and some writers pad with zeros, between members too; anything else is damage.
    guard try skipZeros(packed) else { return false }
    guard Self.isBeginning(of: packed.unread) else {
      throw packed.corrupt("has bytes behind its gzip data that are not gzip")
    }
    return try startNextMember(packed)
  }

  /// Moves to the next byte that is not zero, with three more at hand where there are; false where there is none.
  private func skipZeros(_ packed: PackedBytes) throws -> Bool {
    while !packed.unread.isEmpty {
      if let next = packed.unread.firstIndex(where: { $0 != 0 }) {
        packed.accept(next)
        if packed.unread.count < 4 { try packed.refill() }
        return true
      }
      packed.accept(packed.unread.count)
      try packed.refill()
    }
    return false
  }

  /// RFC 1952 wants the upper three flags to be zero and readers to check that; ISA-L does not.
  private static func hasReservedFlag(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 4 && bytes[3] & 0xe0 != 0
  }
}
