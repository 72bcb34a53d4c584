/// Numbers of four or eight bytes, the lowest byte first.
package enum LittleEndianNumbers {
  /// Appends the numbers that `bytes` are, which are a multiple of the width; those of four bytes keep their sign.
  package static func append(_ bytes: ArraySlice<UInt8>, width: Int, to numbers: inout [Int64]) {
    precondition(width == 4 || width == 8)
    bytes.withUnsafeBytes { bytes in
      for position in stride(from: 0, through: bytes.count - width, by: width) {
        numbers.append(
          width == 4
            ? Int64(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
            : Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)))
      }
    }
  }
}
