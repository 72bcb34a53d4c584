import CZstd
import Domain

/// Zstandard frames one after another, those to be skipped among them, by libzstd, which verifies each frame's checksum
/// and length where the frame tells them.
///
/// Source: RFC 8878, section 3.
final class ZstdUnpacker: Unpacker {
  private let stream: OpaquePointer?
  /// How many bytes take the stream to the end of its next block: no more are handed over at once, so that damage is told
  /// within a block.
  private var wanted = 0
  private var isBetweenFrames = true
  /// How many bytes have been unpacked.
  private var unpacked: Int64 = 0

  /// A block of four bytes may stand for 128 KiB. No log repeats itself so, and what does would be read for hours: beyond so
  /// many bytes no file unpacks to more than so many times what was read of it, twice what gzip comes to at most.
  private static let (mostUnasked, mostPacked): (Int64, Int64) = (1 << 30, 2 * 1032)

  /// How far back a frame may look, as a power of two in bytes: what `zstd` itself goes along with unless it is told
  /// otherwise (`--long`). A file that is being read takes that much memory at most.
  private static let longestWindow: Int32 = 27

  init() {
    stream = ZSTD_createDCtx()
    if let stream { ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.longestWindow) }
  }

  deinit {
    ZSTD_freeDCtx(stream)
  }

  /// A frame, or one to be skipped: `pzstd` writes such before each of its own.
  static func isBeginning(of bytes: some Collection<UInt8>) -> Bool {
    if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return true }
    guard let first = bytes.first, first & 0xf0 == 0x50 else { return false }
    return bytes.dropFirst().starts(with: [0x2a, 0x4d, 0x18])
  }

  func unpack(_ packed: PackedBytes, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let stream else { throw Self.noMemory(packed) }
    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    while output.pos < output.size {
      if isBetweenFrames {
        guard try startNextFrame(packed, stream) else { break }
      } else if packed.unread.isEmpty {
        try packed.refill()
      }
      let unread = packed.unread
      var input = ZSTD_inBuffer(src: unread.baseAddress, size: min(unread.count, wanted), pos: 0)
      let before = output.pos
      let status = ZSTD_decompressStream(stream, &output, &input)
      if ZSTD_isError(status) != 0 { throw fault(ZSTD_getErrorCode(status), in: packed) }
      packed.accept(input.pos)
      unpacked += Int64(output.pos - before)
      if unpacked > Self.mostUnasked, unpacked / Self.mostPacked > packed.bytesConsumed {
        throw packed.corrupt(
          "unpacks to more than \(Self.mostPacked) times its size, as no log does",
          remedy: "Look at what is in it, unpack it where it is what it should be, and name that file")
      }
      (wanted, isBetweenFrames) = (status, status == 0)
      if unread.isEmpty, output.pos == before { throw packed.corrupt("ends in the middle of its zstd data") }
    }
    return output.pos
  }

  /// Looks behind a finished frame: true where another one begins, false at the end of the file.
  private func startNextFrame(_ packed: PackedBytes, _ stream: OpaquePointer) throws -> Bool {
    if packed.unread.count < 4 { try packed.refill() }
    if packed.unread.isEmpty { return false }
    guard Self.isBeginning(of: packed.unread) else {
      throw packed.corrupt("has bytes behind its zstd data that are not zstd")
    }
    ZSTD_DCtx_reset(stream, ZSTD_reset_session_only)
    (wanted, isBetweenFrames) = (4, false)
    return true
  }

  private func fault(_ code: ZSTD_ErrorCode, in packed: PackedBytes) -> any Error {
    switch code {
    case ZSTD_error_memory_allocation: Self.noMemory(packed)
    case ZSTD_error_checksum_wrong: packed.corrupt("fails its zstd checksum")
    case ZSTD_error_frameParameter_windowTooLarge:
      packed.corrupt(
        "takes more than \(1 << (Self.longestWindow - 20)) MB of memory to unpack (zstd --long)",
        remedy: "Pack it anew without --long or --ultra")
    case ZSTD_error_dictionary_wrong:
      packed.corrupt("is packed with a dictionary of zstd's that it does not hold", remedy: "Pack it anew without one")
    default: packed.corrupt("has damaged zstd data")
    }
  }

  private static func noMemory(_ packed: PackedBytes) -> OfferliftError {
    OfferliftError(.tryAgainLater, "\(packed.displayName): there is no memory left to unpack it; try again later.")
  }
}
