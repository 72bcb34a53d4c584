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
      ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
    }
    var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count) + 64)
    let count = packed.withUnsafeMutableBytes { room in
      bytes.withUnsafeBytes { bytes in
        var (output, input) = (
          ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0),
          ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        )
        // Who does not say at once that this is all keeps the window that was asked for.
        if windowLog != nil { ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue) }
        precondition(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) == 0)
        return output.pos
      }
    }
    return Array(packed.prefix(count))
  }

  /// A frame that readers pass over.
  static func skippable(_ bytes: [UInt8], kind: UInt8 = 0) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return [0x50 + kind, 0x2a, 0x4d, 0x18] + length + bytes
  }
}
