import Measurement
import Platform

/// The frame around a block: what it is, how long it is, and a checksum. `Sources/BLOCKS.md` has it byte by byte.
enum Block {
  /// Of the frame and of everything in it.
  static let version: UInt16 = 7
  /// Before the body: magic, version, kind, the body's length.
  static let headSize = 12
  /// Behind the body: the checksum.
  static let tailSize = 4
  /// No body is longer, in bytes.
  static let longestBody = 1 << 30
  /// No block has more rows.
  static let mostRows = 1 << 15
  private static let magic = Array("OLB\n".utf8)

  /// What is in a block.
  enum Kind: UInt16 {
    case events = 1
    /// What a file of blocks was made of.
    case origin = 2
    /// What is to be known of a purchase file beside its events.
    case reading = 3
    /// Who is in which group.
    case assignments = 4
    /// Rows that could not be read.
    case rejects = 5
    /// The names that a file has.
    case names = 6
    /// Who became whom.
    case transfers = 7
    /// What became of a file.
    case file = 8
    /// What users came to.
    case sums = 9
    /// Rows that were read and turned out to have no exchange rate.
    case lateRejects = 10
    /// What ids of assigned users look like.
    case assignedIDs = 11
    /// What bought without an assignment.
    case unassigned = 12
    /// Who has which transaction's charge.
    case claims = 13
    /// Events that follow a charge, as events.
    case following = 14
    // 15 and 16 were of nights whose sums older versions kept.
    /// What files held when they were last read.
    case digests = 17
    /// Where blocks of a partition lie.
    case pieces = 18
  }

  /// What a frame's first bytes tell.
  struct Head {
    var kind: Kind
    /// Of the body, in bytes.
    var length: Int
  }

  /// The block of some columns, one behind another; nil where they are too long for one.
  static func frame(_ kind: Kind, _ columns: [ColumnWriter]) -> [UInt8]? {
    let length = columns.reduce(0) { $0 + $1.count }
    guard length <= longestBody else { return nil }
    return framed(kind, length) { bytes in
      for column in columns { column.add(to: &bytes) }
    }
  }

  /// The block of a body, which is not too long.
  static func frame(_ kind: Kind, body: ArraySlice<UInt8>) -> [UInt8] { framed(kind, body.count) { $0 += body } }

  private static func framed(_ kind: Kind, _ length: Int, body: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headSize + length + tailSize)
    bytes += magic
    append(version, to: &bytes)
    append(kind.rawValue, to: &bytes)
    append(UInt32(length), to: &bytes)
    body(&bytes)
    var checksum = Checksum()
    checksum.update(bytes)
    append(checksum.crc32, to: &bytes)
    return bytes
  }

  /// The body of a whole block, once its frame and checksum have been looked at.
  static func body(of block: [UInt8], _ kind: Kind) throws(BlockFault) -> ArraySlice<UInt8> {
    let head = try head(block)
    guard head.kind == kind else { throw .misplaced }
    guard block.count == headSize + head.length + tailSize else { throw .cutOff }
    try verify(block, count: block.count)
    return block[headSize..<headSize + head.length]
  }

  /// Reads a frame's first `headSize` bytes.
  static func head(_ bytes: [UInt8]) throws(BlockFault) -> Head {
    guard bytes.count >= headSize else { throw .cutOff }
    guard Array(bytes[..<4]) == magic else { throw .foreign }
    let version = UInt16(truncatingIfNeeded: number(bytes, 4, bytes: 2))
    guard version == Self.version else { throw .version(version) }
    let length = number(bytes, 8, bytes: 4)
    guard let kind = Kind(rawValue: UInt16(truncatingIfNeeded: number(bytes, 6, bytes: 2))), length <= longestBody
    else { throw .damaged }
    return Head(kind: kind, length: length)
  }

  /// Checks a whole frame, which the first `count` bytes are.
  static func verify(_ bytes: [UInt8], count: Int) throws(BlockFault) {
    var checksum = Checksum()
    checksum.update(bytes.span.extracting(first: count - tailSize).bytes)
    guard checksum.crc32 == UInt32(number(bytes, count - tailSize, bytes: 4)) else { throw .checksum }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for position in 0..<number.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * position))) }
  }

  private static func number(_ source: [UInt8], _ start: Int, bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(source[start + $1]) << (8 * $1) }
  }
}
