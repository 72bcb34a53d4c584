import Domain
import Measurement

/// An entry of a purchase file whose events are told partition of users by partition, when it is the partition's turn in all
/// entries of a run: a partition's users have room where memory is quickest, all of a run's have not.
struct PartitionedEntry {
  let entry: StoreEntry
  let file: InputFile
  private let path: String
  private let log: PurchaseLog
  /// Where the blocks of each partition begin, and last those of no one partition.
  private let positions: [[Int64]]

  /// In so many turns all is told: a partition each, and what is of none.
  static let turns = EventBlock.Head.anyPartition + 1

  /// Looks through an entry.
  ///
  /// - Returns: also what its file came to, but for what became of its transfers.
  /// - Throws: `BlockFault` where the entry is not what it should be, `OfferliftError` where it cannot be read.
  static func open(
    _ entry: StoreEntry, at path: String, _ file: InputFile, _ log: PurchaseLog
  ) throws -> (FileReading, PartitionedEntry) {
    var outline = try BlockOutline(path)
    let reading = try entry.emit(
      from: &outline, of: log.input.table, file, as: .events, attributes: log.attributes.count
    ) { body, _ in
      var column = ColumnReader(body)
      let head = try EventBlock.Head(&column)
      return head.rows + head.transferRows
    }
    var positions = [[Int64]](repeating: [], count: turns)
    for (position, head) in outline.heads { positions[head.partition].append(position) }
    return (reading, PartitionedEntry(entry: entry, file: file, path: path, log: log, positions: positions))
  }

  /// Tells the events of one partition, in as many batches as there are blocks.
  ///
  /// - Parameter outcomes: takes what becomes of rows of transfers.
  /// - Throws: as `open`; what has been handed on by then is to be forgotten.
  func emit(turn: Int, into sink: inout some EventSink, recording outcomes: inout RowOutcomes) throws {
    guard !positions[turn].isEmpty else { return }
    var blocks = try BlockFile(path)
    for position in positions[turn] {
      try blocks.move(to: position)
      try blocks.next { kind, body in
        guard kind == .events else { throw BlockFault.damaged }
        try EventBlock(body, names: log.names, types: log.types).emit(&sink, recording: &outcomes)
      }
    }
  }

  /// - Throws: `OfferliftError` where the run takes more memory than it may.
  func checkRoom() throws { try log.checkRoom() }
}
