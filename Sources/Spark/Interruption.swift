import Foundation
import Synchronization

/// Lets a signal that asks the process to end reach what the process waits for first.
enum Interruption {
  private static let caught = Atomic<Int32>(0)
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Does the work; where a signal comes meanwhile, the work is cancelled, and the signal takes effect when it has ended.
  static func during<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    caught.store(0, ordering: .relaxed)
    let before = signals.map { signal($0) { Interruption.caught.store($0, ordering: .relaxed) } }
    defer {
      for (number, action) in zip(signals, before) { signal(number, action) }
      let number = caught.load(ordering: .relaxed)
      if number != 0 { end(by: number) }
    }
    let task = Task { try await work() }
    let watch = Task {
      while !Task.isCancelled {
        if caught.load(ordering: .relaxed) != 0 { return task.cancel() }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    defer { watch.cancel() }
    return try await task.value
  }

  /// Ends the process as the signal would have: the thread at hand lets it in, as Dispatch's have signals blocked.
  private static func end(by number: Int32) {
    var letIn = sigset_t()
    sigemptyset(&letIn)
    sigaddset(&letIn, number)
    pthread_sigmask(SIG_UNBLOCK, &letIn, nil)
    raise(number)
  }
}
