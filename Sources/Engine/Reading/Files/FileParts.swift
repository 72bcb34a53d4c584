import Foundation

/// The parts of one file that several tasks read together, each part by one of them: row groups, which are found and read
/// without what stands before them.
///
/// A task that has read its last part stays until the others have theirs: a file of which one part is damaged counts for
/// none of them.
final class FileParts: @unchecked Sendable {
  private let count: Int
  /// Guards all that follows.
  private let condition = NSCondition()
  private var next = 0
  /// How many are being read.
  private var underway = 0
  /// The first part, in the file's order, that could not be read, and why.
  private var failure: (part: Int, why: any Error)?

  init(count: Int) { self.count = count }

  /// How much of the file nobody has begun, between 0 and 1.
  var shareLeft: Double { condition.withLock { Double(count - next) / Double(max(count, 1)) } }

  /// Calls `body` with the number of a part that nobody has read, from 0, one part after another.
  ///
  /// - Throws: what the first part, in the file's order, that could not be read has failed with, whoever read it.
  func forEach(_ body: (Int) throws -> Void) throws {
    while let part = accept() { leave(part, Result { try body(part) }) }
    try condition.withLock {
      while underway > 0 { condition.wait() }
      if let failure { throw failure.why }
    }
  }

  /// The next part to read; nil where there is none, or one before it has failed.
  private func accept() -> Int? {
    condition.withLock {
      guard failure == nil, next < count else { return nil }
      (next, underway) = (next + 1, underway + 1)
      return next - 1
    }
  }

  private func leave(_ part: Int, _ result: Result<Void, any Error>) {
    condition.withLock {
      underway -= 1
      if case .failure(let why) = result, failure.map({ part < $0.part }) ?? true { failure = (part, why) }
      condition.broadcast()
    }
  }
}
