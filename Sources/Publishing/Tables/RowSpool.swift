import Domain
import Foundation
import Platform

/// A table's rows in a file without a name: written once, and read by any number of threads, each from the first row on.
final class RowSpool: Sendable {
  private let file: ScratchFile
  /// Where each piece of whole rows lies.
  private let pieces: [Range<Int64>]
  let count: Int

  private init(_ file: ScratchFile, _ pieces: [Range<Int64>], count: Int) {
    (self.file, self.pieces, self.count) = (file, pieces, count)
  }

  /// Hands over every row.
  ///
  /// - Throws: `OfferliftError` 74 where the disk does not give them back; what `body` throws.
  func forEach(_ body: ([Table.Cell]) throws -> Void) throws {
    for piece in pieces {
      var bytes = [UInt8](repeating: 0, count: Int(piece.upperBound - piece.lowerBound))
      try file.read(from: piece.lowerBound, into: &bytes)
      var cells = CellReader(bytes)
      while let row = cells.nextRow() { try body(row) }
    }
  }

  /// Writes rows, one after another.
  struct Writer {
    private let file: ScratchFile
    private var pieces: [Range<Int64>] = []
    private var bytes: [UInt8] = []
    private var count = 0

    private static let pieceSize = 1 << 18

    /// - Parameter folder: where the file lies, unless the environment's `TMPDIR` names another.
    /// - Throws: `OfferliftError` 73 or 74 where no file can lie there.
    init(in folder: String) throws { file = try ScratchFile(in: folder) }

    /// - Throws: `OfferliftError` 74, as where the disk is full.
    mutating func append(_ row: [Table.Cell]) throws {
      bytes.append(number: row.count)
      for cell in row { bytes.append(cell) }
      count += 1
      if bytes.count >= Self.pieceSize { try writePiece() }
    }

    /// - Throws: as `append`.
    mutating func finish() throws -> RowSpool {
      try writePiece()
      return RowSpool(file, pieces, count: count)
    }

    private mutating func writePiece() throws {
      let start = try file.append(bytes)
      pieces.append(start..<start + Int64(bytes.count))
      bytes.removeAll(keepingCapacity: true)
    }
  }
}

/// How a cell begins, so that it is read back as what it was.
private enum CellMark: UInt8 {
  case empty, no, yes, text, integer, real, micros
}

extension [UInt8] {
  /// A count, seven bits a byte from the lowest up; all but the last byte have their highest bit set.
  fileprivate mutating func append(number: UInt128) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  fileprivate mutating func append(number: Int) { append(number: UInt128(number)) }

  /// A number of either sign: those near 0 take few bytes.
  fileprivate mutating func append(signed number: Int128) {
    append(number: UInt128(bitPattern: (number << 1) ^ (number >> 127)))
  }

  fileprivate mutating func append(_ cell: Table.Cell) {
    func mark(_ mark: CellMark) { append(mark.rawValue) }
    switch cell {
    case .empty: mark(.empty)
    case .flag(let flag): mark(flag ? .yes : .no)
    case .integer(let number):
      mark(.integer)
      append(signed: number)
    case .micros(let micros):
      mark(.micros)
      append(signed: micros)
    case .real(let number):
      mark(.real)
      for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number.bitPattern >> shift)) }
    case .text(let text):
      mark(.text)
      append(number: text.utf8.count)
      append(contentsOf: text.utf8)
    }
  }
}

/// Reads the cells of a piece back; they are this process's own.
private struct CellReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil behind the last.
  mutating func nextRow() -> [Table.Cell]? {
    guard position < bytes.count else { return nil }
    return (0..<Int(scanNumber())).map { _ in next() }
  }

  private mutating func next() -> Table.Cell {
    switch CellMark(rawValue: accept()) {
    case .no: return .flag(false)
    case .yes: return .flag(true)
    case .integer: return .integer(readSigned())
    case .micros: return .micros(readSigned())
    case .real:
      let bits = stride(from: 0, to: 64, by: 8).reduce(UInt64(0)) { $0 | UInt64(accept()) << $1 }
      return .real(Double(bitPattern: bits))
    case .text:
      let end = Int(scanNumber()) + position
      defer { position = end }
      return .text(String(decoding: bytes[position..<end], as: UTF8.self))
    case .empty, nil: return .empty
    }
  }

  private mutating func accept() -> UInt8 {
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func scanNumber() -> UInt128 {
    var (number, shift) = (UInt128(0), UInt128(0))
    while true {
      let byte = accept()
      number |= UInt128(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  private mutating func readSigned() -> Int128 {
    let number = scanNumber()
    return Int128(bitPattern: number >> 1) ^ -Int128(bitPattern: number & 1)
  }
}
