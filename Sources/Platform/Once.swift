import Synchronization

/// A value that is made when it is first asked for, by the thread that asks; others that ask meanwhile wait for it.
package final class Once<Value: Sendable>: Sendable {
  private let made = Mutex<Result<Value, any Error>?>(nil)
  private let make: @Sendable () throws -> Value

  package init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

  /// The value.
  ///
  /// - Throws: what making it threw, every time it is asked for.
  package func get() throws -> Value {
    try made.withLock { made in
      let known = made ?? Result(catching: make)
      made = known
      return try known.get()
    }
  }
}
