/// Rows of one size in a block, without what they have in common.
///
/// Rows lie word by word of four bytes: of each word the smallest value, and of every row's value how much larger it is, in
/// as many bytes as the largest difference takes. Times of a day take four bytes of eight so, and what no event says none:
///
///     rows      1000, 7   1003, 7   1001, 7
///     packed    1000: 0 3 1    7:
extension ColumnWriter {
  /// Adds the rows of a column that has nothing but these.
  ///
  /// - Parameter size: of a row, in bytes: a multiple of four.
  func append(packing rows: ColumnWriter, size: Int) {
    rows.bytes { text in
      let bytes = UnsafeRawBufferPointer(text.unsafeBytes)
      append(text.count / size)
      guard text.count > 0 else { return }
      for word in stride(from: 0, to: size, by: 4) {
        var (least, most) = (UInt32.max, UInt32.min)
        for position in stride(from: word, to: bytes.count, by: size) {
          let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          (least, most) = (min(least, value), max(most, value))
        }
        let width = (39 - (most - least).leadingZeroBitCount) >> 3
        append(least)
        append(width)
        guard width > 0 else { continue }
        for position in stride(from: word, to: bytes.count, by: size) {
          append(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self) - least, width: width)
        }
      }
    }
  }
}

extension ColumnReader {
  /// The bytes of the rows that the column has packed; they live as long as the arena.
  ///
  /// - Throws: `BlockFault` where they do not hold together.
  func unpackedRows(size: Int, into arena: TextArena) throws(BlockFault) -> Text {
    var column = self
    let count = try column.position(below: Block.mostRows + 1)
    guard count > 0 else {
      guard column.isAtEnd else { throw .damaged }
      return .empty
    }
    var fault: BlockFault?
    let rows = arena.write(atMost: count * size) { output in
      output.withUnsafeMutableBufferPointer { room, used in
        do throws(BlockFault) {
          try column.unpack(count, UnsafeMutableRawBufferPointer(room), size)
          used = count * size
        } catch { fault = error }
        return fault == nil
      }
    }
    guard let rows, column.isAtEnd else { throw fault ?? .damaged }
    return rows
  }

  private mutating func unpack(_ count: Int, _ rows: UnsafeMutableRawBufferPointer, _ size: Int) throws(BlockFault) {
    for word in stride(from: 0, to: size, by: 4) {
      let least = UInt32(try position(below: 1 << 32))
      let width = try position(below: 5)
      let values = UnsafeRawBufferPointer(try bytes(count * width).unsafeBytes)
      @inline(__always)
      func put(_ difference: UInt32, _ row: Int) {
        rows.storeBytes(of: least &+ difference, toByteOffset: row &* size &+ word, as: UInt32.self)
      }
      guard width > 0 else {
        for row in 0..<count { put(0, row) }
        continue
      }
      // Four bytes are read of each but of the last, behind which there may be none.
      let (mask, last) = (UInt32.max >> UInt32(32 - 8 * width), max(0, count - 4))
      for row in 0..<last { put(values.loadUnaligned(fromByteOffset: row &* width, as: UInt32.self) & mask, row) }
      for row in last..<count { put(values.number(at: row * width, width), row) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// A number of so many bytes, at most four, the lowest first.
  @inline(__always)
  fileprivate func number(at position: Int, _ width: Int) -> UInt32 {
    (0..<width).reduce(0) { $0 | UInt32(self[position + $1]) << UInt32(8 * $1) }
  }
}
