import Dispatch
import Synchronization

/// Shares numbered pieces of work out among a bounded number of tasks.
package enum TaskPool {
  /// Calls `body` once for every number below `count`, on at most `limit` tasks, and returns the results by
  /// number.
  ///
  /// Each task makes its own `state` first. Where pieces fail, the error of the lowest-numbered one is thrown,
  /// whichever failed first.
  package static func run<State, Result: Sendable>(
    _ count: Int, limit: Int, state makeState: @escaping @Sendable () -> State,
    body: @escaping @Sendable (inout State, Int) throws -> Result
  ) async throws -> [Result] {
    let queue = Queue(count: count)
    let finished = await withTaskGroup(of: [(Int, Swift.Result<Result, any Error>)].self) { group in
      for _ in 0..<min(max(limit, 1), max(count, 1)) {
        group.addTask {
          var state = makeState()
          var results: [(Int, Swift.Result<Result, any Error>)] = []
          while let number = queue.next() {
            let result = Swift.Result { try body(&state, number) }
            if case .failure = result { queue.stop() }
            results.append((number, result))
          }
          return results
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    return try finished.sorted { $0.0 < $1.0 }.map { try $0.1.get() }
  }

  /// Calls `body` once for every number below `count`, on at most `limit` tasks that each carry their own
  /// state along, and returns the states, in no order.
  ///
  /// Where pieces fail, one of the errors is thrown, and no number begun any more.
  package static func fold<State: Sendable>(
    _ count: Int, limit: Int, state makeState: @escaping @Sendable () -> State,
    body: @escaping @Sendable (inout State, Int) throws -> Void
  ) async throws -> [State] {
    let queue = Queue(count: count)
    return try await withThrowingTaskGroup(of: State.self) { group in
      for _ in 0..<min(max(limit, 1), max(count, 1)) {
        group.addTask {
          defer { queue.stop() }
          var state = makeState()
          while let number = queue.next() { try body(&state, number) }
          return state
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Calls `body` once for every number below `count`, on at most `limit` threads at a time, this one among them, and
  /// returns the results by number: for callers that cannot wait as tasks do.
  ///
  /// Where pieces fail, the error of the lowest-numbered one is thrown.
  package static func spread<Result: Sendable>(
    _ count: Int, limit: Int, body: @Sendable (Int) throws -> Result
  ) throws -> [Result] {
    let results = Mutex<[Swift.Result<Result, any Error>?]>(Array(repeating: nil, count: count))
    let queue = Queue(count: count)
    DispatchQueue.concurrentPerform(iterations: min(max(limit, 1), max(count, 1))) { _ in
      while let number = queue.next() {
        let result = Swift.Result { try body(number) }
        results.withLock { $0[number] = result }
      }
    }
    return try results.withLock { try $0.compactMap { try $0?.get() } }
  }

  /// Does every piece of work, on at most `limit` threads at a time, this one among them, begun in order.
  ///
  /// Where pieces fail, the error of the first of them is thrown, once none is at work any more.
  package static func all(_ works: [@Sendable () throws -> Void], limit: Int) throws {
    _ = try spread(works.count, limit: limit) { try works[$0]() }
  }

  /// Hands out numbers in order, until all are out or someone says stop.
  private final class Queue: Sendable {
    private let upcoming = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)
    private let count: Int

    init(count: Int) {
      self.count = count
    }

    func next() -> Int? {
      if isStopped.load(ordering: .relaxed) { return nil }
      let number = upcoming.add(1, ordering: .relaxed).oldValue
      return number < count ? number : nil
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
  }
}
