import Domain
import Engine
import Foundation
import Jobs
import Platform

/// How much the tables of users and events hold: of each the largest file's beginning is unpacked, the rest is reckoned by
/// its size.
struct InputLoad: Equatable {
  /// Of the files as they lie on the disk.
  var bytes: Double = 0
  var unpackedBytes: Double = 0
  /// Of files that have lines.
  var rows: Double = 0

  /// The load of a job's assignments and purchases; nil where not all of its files are at hand.
  static func ofJob(_ job: Job) -> InputLoad? {
    try? job.exchangedInputs.reduce(into: InputLoad()) { sum, table in
      try sum.add(table.files(relativeTo: job.file), haveLines: table.format != .sqlite)
    }
  }

  /// So much of a file is unpacked.
  private static let sampleSize = 4 << 20

  private mutating func add(_ files: [InputFile], haveLines: Bool) throws {
    guard let largest = files.max(by: { $0.size < $1.size }), largest.size > 0 else { return }
    let source = try ByteSource(path: largest.path, displayName: largest.displayName)
    var (unpacked, lines) = (0, 0)
    while unpacked < Self.sampleSize {
      let piece = try source.read(upTo: 1 << 18)
      if piece.isEmpty { break }
      unpacked += piece.count
      if haveLines { lines += piece.count { $0 == UInt8(ascii: "\n") } }
    }
    let size = files.reduce(0) { $0 + Double($1.size) }
    let share = size / Double(max(1, source.bytesConsumed))
    bytes += share * Double(source.bytesConsumed)
    unpackedBytes += share * Double(unpacked)
    if let inside = ParquetTable.rowCount(of: largest) {
      rows += size / Double(largest.size) * Double(inside)
    } else {
      rows += share * Double(lines)
    }
  }
}
