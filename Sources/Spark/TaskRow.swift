import Domain
import Engine
import Foundation
import Platform

/// A row as Spark carries it between tasks: five columns of text, the last of which only says that the row is whole,
/// because Spark takes empty columns from a row's end.
///
///     events	17	MDpwdXJjaGFzZXM=	T0xCCgIA…	.
struct TaskRow {
  /// What is in the row, by the word that the script asks for it by.
  var kind: Kind
  /// Of events and assignments their partition of users, of claims and of what follows charges that of transactions.
  var partition: Int?
  /// The file it is of.
  var file: String
  var bytes: [UInt8]

  enum Kind: String, CaseIterable {
    case events, assignments, claims, following, rejects, names, transfers, file, sums, lateRejects, assignedIDs,
      unassigned
    /// A file that is among an input's, told by Spark's listing of it.
    case listed
    /// The end of what a task wrote.
    case end
  }

  /// What lies in partitions and only goes from task to task: of users, and of transactions.
  static let users: [Kind] = [.events, .assignments]
  static let transactions: [Kind] = [.claims, .following]

  static let columns = ["kind", "partition", "file", "data", "whole"]
  private static let whole = "."

  /// The row's text, its end included.
  var line: [UInt8] {
    var line = Array("\(kind.rawValue)\t\(partition.map(String.init) ?? "")\t".utf8)
    line += Data(file.utf8).base64EncodedData()
    line.append(UInt8(ascii: "\t"))
    line += Data(bytes).base64EncodedData()
    line += Array("\t\(Self.whole)\n".utf8)
    return line
  }

  /// The row of a line without its end; nil where it is none.
  init?(_ line: ArraySlice<UInt8>) {
    let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard cells.count == Self.columns.count, cells[4].elementsEqual(Self.whole.utf8),
      let kind = Kind(rawValue: String(decoding: cells[0], as: UTF8.self)),
      let file = Data(base64Encoded: Data(cells[2])), let bytes = Data(base64Encoded: Data(cells[3]))
    else { return nil }
    self.kind = kind
    self.file = String(decoding: file, as: UTF8.self)
    self.bytes = Array(bytes)
    guard !cells[1].isEmpty else { return }
    guard let partition = Int(String(decoding: cells[1], as: UTF8.self)) else { return nil }
    self.partition = partition
  }

  init(_ kind: Kind, partition: Int? = nil, file: String = "", bytes: [UInt8]) {
    (self.kind, self.partition, self.file, self.bytes) = (kind, partition, file, bytes)
  }

  /// - Throws: `OfferliftError` (70) where the block is none that tasks exchange.
  init(_ block: ExchangedBlock) throws {
    guard let kind = Kind(rawValue: block.kind) else {
      throw OfferliftError(
        .internalError, "A task was to write a block of \"\(block.kind)\", which no other one takes.")
    }
    self.init(kind, partition: block.partition, file: block.file, bytes: block.bytes)
  }

  /// CRC-32 of all columns, but for the checksum that a block ends with: with that a CRC-32 comes to the same for every
  /// block.
  var checksum: UInt32 {
    var checksum = Checksum()
    checksum.update(Array("\(kind.rawValue)\t\(partition.map(String.init) ?? "")\t\(file)\t\(bytes.count)\t".utf8))
    checksum.update(Array(block.unchecked))
    return checksum.crc32
  }

  /// The block that the row carries.
  var block: ExchangedBlock { ExchangedBlock(partition: partition, file: file, bytes: bytes) }
}
