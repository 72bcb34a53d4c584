/// Rows as bytes: of each cell a letter for its kind, and what it holds.
enum QueryRows {
  private enum Mark: UInt8 { case null, integer, real, text, blob, tooLong }

  static func append(_ cell: QueryCell, to bytes: inout [UInt8]) {
    switch cell {
    case .null: bytes.append(Mark.null.rawValue)
    case .tooLong: bytes.append(Mark.tooLong.rawValue)
    case .integer(let number): append(.integer, UInt64(bitPattern: number), to: &bytes)
    case .real(let number): append(.real, number.bitPattern, to: &bytes)
    case .text(let text):
      append(.text, UInt64(text.count), to: &bytes)
      bytes += text
    case .blob(let blob):
      append(.blob, UInt64(blob.count), to: &bytes)
      bytes += blob
    }
  }

  private static func append(_ mark: Mark, _ number: UInt64, to bytes: inout [UInt8]) {
    bytes.append(mark.rawValue)
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// Takes a row of so many cells off the front.
  ///
  /// - Throws: `QueryChannel.Closed` where the bytes are none.
  static func readRow(of width: Int, from bytes: inout ArraySlice<UInt8>, into row: inout [QueryCell]) throws {
    row.removeAll(keepingCapacity: true)
    for _ in 0..<width { row.append(try readCell(from: &bytes)) }
  }

  private static func readCell(from bytes: inout ArraySlice<UInt8>) throws -> QueryCell {
    guard let mark = bytes.popFirst().flatMap(Mark.init) else { throw QueryChannel.Closed() }
    switch mark {
    case .null: return .null
    case .tooLong: return .tooLong
    case .integer: return .integer(Int64(bitPattern: try scanNumber(from: &bytes)))
    case .real: return .real(Double(bitPattern: try scanNumber(from: &bytes)))
    case .text: return .text(try readBytes(from: &bytes))
    case .blob: return .blob(try readBytes(from: &bytes))
    }
  }

  private static func scanNumber(from bytes: inout ArraySlice<UInt8>) throws -> UInt64 {
    guard bytes.count >= 8 else { throw QueryChannel.Closed() }
    defer { bytes = bytes.dropFirst(8) }
    return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func readBytes(from bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    guard let count = Int(exactly: try scanNumber(from: &bytes)), count <= bytes.count else {
      throw QueryChannel.Closed()
    }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }
}
