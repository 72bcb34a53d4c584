import Foundation
import Measurement
import Platform

/// Hands files out to the tasks that read them, by bytes: whole files first, the largest first, and when none is left,
/// a task joins those that read the file of which most is left.
///
/// So neither a file larger than the others nor one file alone leaves a core idle. No task waits for one that has not
/// begun: it does not matter how many of them run at once.
final class FileQueue: @unchecked Sendable {
  /// Guards all of this.
  private let condition = NSCondition()
  private var queue: [Entry] = []
  /// Numbers of the files that nobody has begun, the next one last.
  private var upcoming: [Int] = []
  /// The first file, in the order they came in, that could not be read, and why.
  private var failure: (number: Int, why: any Error)?

  private struct Entry {
    var file: InputFile
    var share: FileShare?
    var status = Status.waiting
    /// How many tasks read it.
    var readers = 0
    /// What those that have left it have read.
    var reading: FileReading?

    mutating func accept(_ other: FileReading) {
      if reading?.merge(other) == nil { reading = other }
    }
  }

  /// How a file stands, for those who would join.
  private enum Status {
    /// Nobody has begun it.
    case waiting
    /// One task has begun it, and will say whether others may join.
    case begun
    /// One task reads it, and will put it down for another.
    case alone
    /// Several read it, or may.
    case open
    /// Nobody may join any more, or at all.
    case closed
  }

  /// A file for a task to read, which knows by itself whether it is one to be joined.
  struct Piece {
    let number: Int
    let file: InputFile
  }

  /// - Parameter isShared: whether several tasks may read one file.
  init(_ files: [InputFile], isShared: Bool) {
    let bytes = files.map(\.size)
    upcoming = files.indices.sorted { (bytes[$0], $1) < (bytes[$1], $0) }
    queue = files.map { Entry(file: $0) }
    guard isShared else { return }
    for number in files.indices where files[number].sameAs == nil {
      queue[number].share = FileShare(chunk: files[number].context.chunk, bytes: bytes[number]) { [unowned self] in
        allow($0, toReadFile: number)
      }
    }
  }

  /// Calls `body` with every file, on at most `limit` tasks that each make their own `state` first, and returns what
  /// came of each file; `body` is called once for every task that reads a file.
  ///
  /// - Parameter isShared: whether several tasks may read one file.
  /// - Throws: the error of the first file that could not be read, in the order they came in.
  static func read<State>(
    _ files: [InputFile], limit: Int, isShared: Bool = true, state makeState: @escaping @Sendable () -> State,
    body: @escaping @Sendable (inout State, Int, InputFile) throws -> FileReading
  ) async throws -> [FileReading] {
    let queue = FileQueue(files, isShared: isShared)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<(files.isEmpty ? 0 : max(limit, 1)) {
        group.addTask {
          var next = queue.next()
          guard next != nil else { return }
          var state = makeState()
          while let piece = next {
            queue.leave(piece, Result { try body(&state, piece.number, piece.file) })
            next = queue.next()
          }
        }
      }
    }
    return try queue.readings
  }

  /// What came of each file.
  private var readings: [FileReading] {
    get throws {
      try condition.withLock {
        if let failure { throw failure.why }
        return queue.compactMap(\.reading)
      }
    }
  }

  // MARK: - For tasks

  /// The next file to read; nil where there is nothing left to do.
  func next() -> Piece? {
    condition.withLock {
      while let number = upcoming.popLast() {
        // Of several files that cannot be read the first one is told, whichever came to light first.
        if let failure, failure.number < number { continue }
        queue[number].status = .begun
        return piece(number, joins: false)
      }
      while failure == nil {
        if let number = fullest {
          if queue[number].status == .open { return piece(number, joins: true) }
          queue[number].share?.isWanted.store(true, ordering: .relaxed)
        } else if !queue.contains(where: { $0.status == .begun && $0.share != nil }) {
          break
        }
        condition.wait()
      }
      return nil
    }
  }

  private func piece(_ number: Int, joins: Bool) -> Piece {
    queue[number].readers += 1
    var file = queue[number].file
    file.slot = queue[number].share.map { FileSlot(share: $0, joins: joins) }
    return Piece(number: number, file: file)
  }

  /// The file that others may join, of which most is left to read.
  private var fullest: Int? {
    queue.indices.filter { queue[$0].status == .alone || queue[$0].status == .open }
      .compactMap { number in queue[number].share.map { (number: number, bytes: $0.bytesLeft) } }
      .filter { $0.bytes > 0 }
      .max { $0.bytes < $1.bytes }?.number
  }

  /// Takes what a task has read of a file. When all tasks that read it have left, it is settled.
  func leave(_ piece: Piece, _ result: Result<FileReading, any Error>) {
    let settle: (() -> Void)? = condition.withLock {
      defer { condition.broadcast() }
      queue[piece.number].status = .closed
      queue[piece.number].readers -= 1
      switch result {
      case .success(let reading): queue[piece.number].accept(reading)
      case .failure(let why): note(queue[piece.number].share?.failureOfRows ?? why, of: piece.number)
      }
      let entry = queue[piece.number]
      guard entry.readers == 0, let share = entry.share, let reading = entry.reading else { return nil }
      return { share.whenSettled?(reading) }
    }
    settle?()
  }

  private func note(_ why: any Error, of number: Int) {
    if failure.map({ number <= $0.number }) ?? true { failure = (number, why) }
  }

  /// Takes who may join a file, from the task that has begun it.
  func allow(_ access: FileShare.Access, toReadFile number: Int) {
    switch access {
    case .alone: set(.alone, number)
    case .open: set(.open, number)
    case .closed: set(.closed, number)
    }
  }

  private func set(_ status: Status, _ number: Int) {
    condition.withLock {
      queue[number].status = status
      condition.broadcast()
    }
  }
}
