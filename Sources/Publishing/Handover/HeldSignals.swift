import Foundation
import Synchronization

/// Keeps a signal from ending the process between steps that belong together.
enum HeldSignals {
  private static let caught = Atomic<Int32>(0)
  private static let held = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Does the work; a signal that asks the process to end meanwhile takes effect when the work is done.
  static func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    caught.store(0, ordering: .relaxed)
    let before = held.map { signal($0) { HeldSignals.caught.store($0, ordering: .relaxed) } }
    defer {
      for (number, action) in zip(held, before) { signal(number, action) }
      let number = caught.load(ordering: .relaxed)
      if number != 0 { raise(number) }
    }
    return try work()
  }
}
