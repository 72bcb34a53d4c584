import Domain
import Engine
import Foundation
import Synchronization

/// Writes the rows of a task, and counts them for whoever takes them.
final class TaskOutput: Sendable {
  private let handle: FileHandle
  private let state = Mutex(State())

  private struct State {
    var waiting: [UInt8] = []
    var counts = RowCounts()
  }

  private static let bufferSize = 1 << 20

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// What has been written so far.
  var counts: RowCounts { state.withLock { $0.counts } }

  func write(_ row: TaskRow) throws {
    let line = row.line
    try state.withLock { state in
      state.counts.add(row)
      state.waiting += line
      if state.waiting.count >= Self.bufferSize { try flush(&state) }
    }
  }

  /// Writes the trailer, which says that nothing is missing before it, and all that still waits.
  func end(_ trailer: TaskTrailer) throws {
    try write(TaskRow(.end, bytes: try PackedCoding.encode(trailer)))
    try state.withLock { try flush(&$0) }
  }

  private func flush(_ state: inout State) throws {
    try handle.write(contentsOf: state.waiting)
    state.waiting.removeAll(keepingCapacity: true)
  }
}

/// How many rows of each kind there are, and what they come to: equal rows, however distributed, come to the same.
struct RowCounts: Codable, Equatable {
  private(set) var byKind: [String: Count] = [:]

  struct Count: Codable, Equatable {
    var rows = 0
    /// Sum of the rows' CRC-32, modulo 2⁶⁴.
    var checksum: UInt64 = 0
  }

  mutating func add(_ row: TaskRow) {
    guard row.kind != .end else { return }
    byKind[row.kind.rawValue, default: Count()].add(rows: 1, checksum: UInt64(row.checksum))
  }

  mutating func merge(_ other: RowCounts) {
    for (kind, count) in other.byKind {
      byKind[kind, default: Count()].add(rows: count.rows, checksum: count.checksum)
    }
  }

  subscript(kind: TaskRow.Kind) -> Count { byKind[kind.rawValue] ?? Count() }
}

extension RowCounts.Count {
  fileprivate mutating func add(rows: Int, checksum: UInt64) {
    self.rows += rows
    self.checksum &+= checksum
  }
}

/// The last row of a task: what it was given and what it wrote.
struct TaskTrailer: Codable {
  var stage: SparkStage
  /// Hash of the plan that it is a task of.
  var plan: String
  var accepted: RowCounts
  var written: RowCounts
  /// Of a task that counts: checksum of the names that it numbers its sums by.
  var names: UInt32?
}

/// What tasks are started for.
package enum SparkStage: String, Codable, Sendable, CaseIterable {
  /// Files into blocks by partition of users.
  case read
  /// Blocks to the users that their ids stand for, and what follows a charge to the user who has that.
  case resolve
  /// Partitions of users into sums.
  case count
  /// What the ids of assigned users look like.
  case identify
}
