import Synchronization
import Testing

@testable import Platform

@Suite("A value that is made once")
struct OnceTests {
  private struct Failure: Error, Equatable { let number: Int }

  @Test("However many threads ask, it is made once, and all get it")
  func once() throws {
    let calls = Atomic<Int>(0)
    let once = Once { calls.add(1, ordering: .relaxed).newValue }
    let found = try TaskPool.spread(200, limit: 8) { _ in try once.get() }
    #expect(found == Array(repeating: 1, count: 200))
  }

  @Test("Nothing is made before somebody asks; a failure is everybody's, and the first one stays")
  func fails() {
    let calls = Atomic<Int>(0)
    let once = Once<Int> { throw Failure(number: calls.add(1, ordering: .relaxed).newValue) }
    #expect(calls.load(ordering: .relaxed) == 0)
    for _ in 0..<2 { #expect(throws: Failure(number: 1)) { try once.get() } }
  }
}
