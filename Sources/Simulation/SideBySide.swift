import Dispatch
import Synchronization

/// Work that is done on all cores at once.
enum SideBySide {
  /// The results of `work` for `0 ..< count`, in that order, whichever was done first.
  ///
  /// - Throws: the error of the smallest index that has one.
  static func map<Value: Sendable>(
    _ count: Int, _ work: @Sendable (Int) throws -> Value
  ) throws -> [Value] {
    let results = Mutex([Int: Result<Value, any Error>]())
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let result = Result { try work(index) }
      results.withLock { $0[index] = result }
    }
    let done = results.withLock { $0 }
    return try (0..<count).compactMap { try done[$0]?.get() }
  }
}
