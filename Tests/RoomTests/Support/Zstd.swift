import CZstd

/// Frames of zstd. Source: RFC 8878, section 3.
enum Zstd {
  /// One frame, as `zstd` writes it: its checksum behind it.
  static func frame(_ bytes: some Sequence<UInt8>, level: Int32 = 3, windowLog: Int32? = nil) -> [UInt8] {
    let bytes = Array(bytes)
    let context = ZSTD_createCCtx()
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    if let windowLog {
      // A frame that tells its length needs no other window.
      ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
      ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
    }
    var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = packed.withUnsafeMutableBytes { room in
      bytes.withUnsafeBytes { ZSTD_compress2(context, room.baseAddress, room.count, $0.baseAddress, $0.count) }
    }
    precondition(ZSTD_isError(count) == 0)
    return Array(packed.prefix(count))
  }

  /// A frame that readers pass over.
  static func skippable(_ bytes: [UInt8], kind: UInt8 = 0) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return [0x50 + kind, 0x2a, 0x4d, 0x18] + length + bytes
  }
}
