import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Readers of one file, each of which lets another one join behind every batch of rows: what one reads lies between what
/// others do, and in one thread, so that it is the same in every run.
struct Turns {
  let share: FileShare?
  private let queue: FileQueue
  private let file: InputFile
  private var found: [PlainRow] = []
  /// What each reader has read, and whether it counts.
  private(set) var readings: [(reading: FileReading, isWhole: Bool)] = []
  private var readers = 0

  init(_ file: InputFile, chunk: Int = 300) throws {
    queue = FileQueue([file.unpacked(in: chunk)], isShared: true)
    self.file = try #require(queue.next()).file
    share = self.file.slot?.share
  }

  var rows: [PlainRow] { found.sorted { $0.offset < $1.offset } }

  var merged: FileReading? {
    var readings = readings.map(\.reading)[...]
    guard var all = readings.popFirst() else { return nil }
    for reading in readings { all.merge(reading) }
    return all
  }

  mutating func read<Format: RecordFormat>(
    onCorrupt: Job.OnCorrupt = .fail, joins: Bool = false, _ makeFormat: () throws -> Format
  ) throws {
    var file = file
    if joins { file.slot = share.map { FileSlot(share: $0, joins: true) } }
    var format = try makeFormat()
    let width = format is CSVFormat ? 3 : format is MySQLFormat ? 2 : 1
    var reading = FileReading(input: "test", file: file)
    readers += 1
    let isWhole = try reading.read(file, as: &format, width: width, onCorrupt: onCorrupt, limit: nil) {
      batch, reading in
      for row in 0..<batch.count {
        found.append(plainRow(row, of: batch))
        if let fault = batch.fault(of: row) { reading.reject(fault) } else { reading.account.outcomes.use() }
      }
      share?.isWanted.store(true, ordering: .relaxed)
      if share?.source != nil, readers < 40 { try self.read(onCorrupt: onCorrupt, joins: true, makeFormat) }
    }
    readings.append((reading, isWhole))
  }
}

extension InputFile {
  /// The same file, so many bytes of which are unpacked at once.
  func unpacked(in chunk: Int) -> InputFile {
    InputFile(path: path, displayName: displayName, in: RunContext(chunk: chunk))
  }
}
