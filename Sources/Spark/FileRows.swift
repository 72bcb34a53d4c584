import Domain
import Engine
import Foundation
import Platform

/// The pieces of files that Spark hands to a task: the bytes between two separators, whatever they are, a row each.
///
///     0	file:/srv/logs/purchases-01.jsonl.gz	15728640	0	15728640	Cns=	H4sIAAAA…	.
///
/// Columns: number of the input; the file's address; its size in bytes; where the part of the file begins that the task
/// has, and how long it is; the separator and the bytes, in base 64.
struct FilePiece {
  var input: Int
  var address: String
  var size: Int64
  var start: Int64
  var length: Int64
  var separator: Data
  var bytes: Data

  init?(_ line: ArraySlice<UInt8>) {
    let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard cells.count == 8, cells[7].elementsEqual(".".utf8), let input = Int(Self.text(cells[0])),
      let size = Int64(Self.text(cells[2])), let start = Int64(Self.text(cells[3])),
      let length = Int64(Self.text(cells[4])), let separator = Data(base64Encoded: Data(cells[5])),
      !separator.isEmpty, min(size, start, length) >= 0, let bytes = Data(base64Encoded: Data(cells[6]))
    else { return nil }
    (self.input, address, self.size) = (input, Self.text(cells[1]), size)
    (self.start, self.length, self.separator, self.bytes) = (start, length, separator, bytes)
  }

  private static func text(_ cell: ArraySlice<UInt8>) -> String { String(decoding: cell, as: UTF8.self) }
}

/// The rows of a task that reads files, file by file.
final class FileRows {
  private let lines: LineReader
  /// The first row of the next file, or the next one of the file at hand.
  private var upcoming: FilePiece?
  private(set) var isAtEnd = false

  init(_ lines: LineReader) throws {
    self.lines = lines
    try advance()
  }

  /// The next file; nil where there is none. The one before has been read to its end.
  func nextFile() throws -> SparkFile? {
    guard let first = upcoming else { return nil }
    guard first.start == 0, first.length == first.size else {
      throw OfferliftError(
        .internalError,
        "\(first.address): Spark has cut the file into parts of \(first.length) bytes; "
          + "the plan's settings say that it must not, so something overrides them (spark.sql.files.maxPartitionBytes)."
      )
    }
    return SparkFile(first, self)
  }

  /// The next row of a file; nil behind its last.
  fileprivate func piece(of file: SparkFile) throws -> Data? {
    guard let piece = upcoming, piece.address == file.address, piece.input == file.input else { return nil }
    try advance()
    return piece.bytes
  }

  private func advance() throws {
    upcoming = nil
    guard let line = try lines.line() else { return isAtEnd = true }
    guard let piece = FilePiece(line) else {
      throw OfferliftError(
        .internalError,
        "Spark handed a task a row that the plan's script does not make, of \(Phrase.count(line.count, "byte")).")
    }
    upcoming = piece
  }
}

/// One file as its rows come: every byte as it lies on the disk, still packed.
///
/// Of its end Spark does not tell whether it is a separator; the file's size does.
///
/// A task has one thread, which all of this is for.
final class SparkFile: @unchecked Sendable {
  let input: Int
  let address: String
  let size: Int64
  private let rows: FileRows
  private let separator: Data
  /// Bytes so far, separators included.
  private var count: Int64 = 0
  private var isFirst = true
  /// The file begins as a packed one does.
  let isPacked: Bool
  /// The file begins as a zip archive does, whose members are files.
  let isArchive: Bool
  /// The file begins as one does that is read at many places at once, as Parquet and archives are.
  let isReadInPlace: Bool

  fileprivate init(_ first: FilePiece, _ rows: FileRows) {
    (input, address, size) = (first.input, first.address, first.size)
    self.rows = rows
    separator = first.separator
    isPacked = Packing(first.bytes) != nil
    isArchive = ZipArchive.isBeginning(of: first.bytes)
    isReadInPlace =
      isArchive || first.bytes.starts(with: Array("PAR1".utf8)) || first.bytes.starts(with: Array("PARE".utf8))
  }

  /// The file's next bytes; nil at its end.
  ///
  /// - Throws: `OfferliftError` (74) where the rows do not make up the file.
  func next() throws -> Data? {
    guard let piece = try rows.piece(of: self) else { return try end() }
    defer { isFirst = false }
    var bytes = isFirst ? Data() : separator
    bytes += piece
    count += Int64(bytes.count)
    return bytes
  }

  /// The separator at its end, where it has one; then nil.
  private func end() throws -> Data? {
    if count == size { return nil }
    let missing = size - count
    let hasSeparator = missing == separator.count || missing == Self.mark.count + separator.count
    // Of a file that is not packed Hadoop takes a byte order mark away.
    hasMark = !isPacked && missing == Self.mark.count + (hasSeparator ? separator.count : 0)
    guard hasMark || missing == separator.count else {
      throw OfferliftError(
        .inputOutput,
        "\(address): Spark has handed on \(count) of its \(size) bytes. Either the file changed while it was read, or "
          + "Spark unpacked it: the plan's settings for packed files did not hold.")
    }
    count = size
    return hasSeparator ? separator : nil
  }

  /// A byte order mark stood before the first byte; known at the end.
  private(set) var hasMark = false

  static let mark: [UInt8] = [0xef, 0xbb, 0xbf]
}

/// The bytes of a packed file as they come.
final class PackedFeed: ByteFeed {
  private let file: SparkFile
  /// So many bytes are handed on at once, about.
  private static let pieceSize = 1 << 17

  init(_ file: SparkFile) {
    self.file = file
  }

  func next() throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < Self.pieceSize, let piece = try file.next() { bytes += piece }
    return bytes.isEmpty ? nil : bytes
  }
}
