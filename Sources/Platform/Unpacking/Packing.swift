/// How a file is packed, told by its first bytes and never by its name.
package enum Packing: String, CaseIterable, Sendable {
  case gzip, zstd

  /// Nil for bytes that are not packed.
  package init?(_ beginning: some Collection<UInt8>) {
    guard let packing = Self.allCases.first(where: { $0.isBeginning(of: beginning) }) else { return nil }
    self = packing
  }

  private func isBeginning(of bytes: some Collection<UInt8>) -> Bool {
    switch self {
    case .gzip: GzipUnpacker.isBeginning(of: bytes)
    case .zstd: ZstdUnpacker.isBeginning(of: bytes)
    }
  }

  /// The program that writes what is packed to its standard output.
  package var program: String {
    switch self {
    case .gzip: "gunzip -c"
    case .zstd: "zstd -dc"
    }
  }

  /// What such a file is, `gzipped`.
  package var word: String {
    switch self {
    case .gzip: "gzipped"
    case .zstd: "packed with zstd"
    }
  }

  func unpacker() -> any Unpacker {
    switch self {
    case .gzip: GzipUnpacker()
    case .zstd: ZstdUnpacker()
    }
  }
}

/// Takes bytes apart that are packed in one way.
protocol Unpacker: AnyObject {
  /// Fills `buffer` from its start with what the packed bytes stand for; returns how many bytes that is: fewer than asked
  /// for only at the end of the file.
  ///
  /// - Throws: `CorruptFile` where the packed bytes are damaged or cut off; `OfferliftError`, exit 74.
  func unpack(_ packed: PackedBytes, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}
