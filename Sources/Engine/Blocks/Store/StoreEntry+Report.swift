import Domain
import Jobs
import Measurement

extension StoreEntry {
  /// Goes through the entry's blocks, of which none has been read, and returns what reading its file came to.
  ///
  /// - Parameters:
  ///   - input: what the job says of the file.
  ///   - kind: of the blocks that the entry has of the file's rows.
  ///   - attributes: how many attributes the rows may tell.
  ///   - emit: takes the body of such a block, and books what becomes of rows that are not rejects, or returns how many
  ///     are booked elsewhere.
  /// - Throws: `BlockFault` where the entry is not what it should be, `OfferliftError` where it cannot be read, and
  ///   what `emit` throws.
  func emit(
    from blocks: inout some BlockSource, of input: TableInput, _ file: InputFile, as kind: Block.Kind, attributes: Int,
    _ emit: (Text, inout FileReading) throws -> Int
  ) throws -> FileReading {
    var reading = FileReading(input: input.name, file: file)
    (reading.account.bytes, reading.account.crc32) = (content.bytes, content.crc32)
    try blocks.next { try verify($0, $1) }
    var (reported, rowsElsewhere) = (0, 0)
    var last: StoredReading?
    while last == nil {
      last = try blocks.next { found, body in
        switch found {
        case kind:
          rowsElsewhere += try emit(body, &reading)
          reported += 1
        case .rejects: try Self.reject(body, &reading)
        case .reading: return try StoredReading(body, attributes: attributes)
        default: throw BlockFault.damaged
        }
        return nil
      }
    }
    guard let last, blocks.isAtEnd, reported == last.blocks, reading.rejects.count == last.rejects else {
      throw BlockFault.damaged
    }
    last.fill(&reading)
    guard reading.account.rows == reading.account.outcomes.rows + rowsElsewhere else { throw BlockFault.damaged }
    reading.finish()
    return reading
  }

  private static func reject(_ body: Text, _ reading: inout FileReading) throws(BlockFault) {
    var start = 0
    while start < body.count {
      let end = body.position(of: RejectLine.end, or: RejectLine.end, from: start)
      guard end < body.count else { throw .damaged }
      try reading.reject(Array(body.slice(start..<end + 1))[...])
      start = end + 1
    }
  }
}

/// An input is not taken, however it is read.
struct InputRefused: Error {
  let why: any Error
}
