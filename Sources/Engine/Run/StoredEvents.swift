import Measurement
import Platform
import Synchronization

/// The files of a run that the event store has: all of them are told together, one partition of users after the other.
final class StoredEvents: Sendable {
  private let entries = Mutex<[(file: Int, entry: PartitionedEntry)]>([])

  /// An entry is not what it should be, and others, or it, have been told in part.
  struct Fault: Error {
    let entry: PartitionedEntry
    let why: any Error
  }

  /// Adds a file's entry, by the file's number.
  func add(_ entry: PartitionedEntry, file: Int) { entries.withLock { $0.append((file, entry)) } }

  /// Routes the events of all entries.
  ///
  /// - Returns: what became of rows of transfers, by file.
  /// - Throws: `Fault`; `OfferliftError` where there is no room.
  func emit(to routing: EventRouting, threads: Int) async throws -> [(file: Int, outcomes: RowOutcomes)] {
    let entries = entries.withLock { $0 }
    guard !entries.isEmpty else { return [] }
    return try await TaskPool.run(PartitionedEntry.turns, limit: threads, state: { routing.makeRouter() }) {
      router, turn in
      try entries.map { file, entry in
        var outcomes = RowOutcomes()
        router.file = UInt32(file)
        try entry.checkRoom()
        do {
          try entry.emit(turn: turn, into: &router, recording: &outcomes)
        } catch {
          throw Fault(entry: entry, why: error)
        }
        router.finishFile()
        routing.accept(&router, file: file)
        return (file, outcomes)
      }
    }.flatMap(\.self)
  }
}
