import Foundation
import Synchronization
import Testing

@testable import Platform

@Suite("Pieces of work")
struct TaskPoolTests {
  private struct Failure: Error, Equatable { let number: Int }

  @Test("Results come by number, each piece done once", arguments: [0, 1, 2, 63, 500])
  func results(count: Int) async throws {
    for limit in [0, 1, 2, 8] {
      let found = try await TaskPool.run(count, limit: limit, state: { 0 }) { calls, number in
        calls += 1
        return number * 2
      }
      #expect(found == (0..<count).map { $0 * 2 })
    }
  }

  @Test("The lowest-numbered failure is the one that is thrown", arguments: 1...4)
  func lowest(limit: Int) async {
    for _ in 0..<30 {
      let error = await #expect(throws: Failure.self) {
        try await TaskPool.run(40, limit: limit, state: {}) { _, number in
          if number == 7 { usleep(300) }
          if number >= 7 { throw Failure(number: number) }
        }
      }
      #expect(error == Failure(number: 7))
    }
  }

  @Test("No more tasks run than the limit allows, each with its own state")
  func states() async throws {
    let found = try await TaskPool.run(100, limit: 3, state: { UUID() }) { state, _ in state }
    #expect((1...3).contains(Set(found).count))
  }

  @Test("All work is done, and the first failure thrown once none is at work", arguments: 0...4)
  func all(limit: Int) throws {
    let done = Mutex<Set<Int>>([])
    let works = (0..<20).map { number -> @Sendable () throws -> Void in
      {
        _ = done.withLock { $0.insert(number) }
        if number == 3 { usleep(300) }
        if number == 3 || number == 11 { throw Failure(number: number) }
      }
    }
    let error = #expect(throws: Failure.self) { try TaskPool.all(works, limit: limit) }
    #expect(error == Failure(number: 3))
    #expect(done.withLock { $0 } == Set(0..<20))
  }
}
