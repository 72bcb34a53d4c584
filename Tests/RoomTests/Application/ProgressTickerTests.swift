import Dispatch
import Synchronization
import Testing

@testable import Application
@testable import Platform

@Suite("How far a command has come, again and again")
struct ProgressTickerTests {
  /// Lines as they come.
  private final class Lines: Sendable {
    private let shown = Mutex<[String]>([])
    private let cameOne = DispatchSemaphore(value: 0)

    func add(_ line: String) {
      shown.withLock { $0.append(line) }
      cameOne.signal()
    }

    var all: [String] { shown.withLock { $0 } }

    /// Returns once so many have come.
    func wait(for count: Int) {
      for _ in 0..<count { cameOne.wait() }
    }
  }

  @Test("A line comes at every interval, of what is done by then, and none behind the end")
  func lines() {
    let lines = Lines()
    let ticker = ProgressTicker(every: .milliseconds(2)) { lines.add($0) }
    ticker.meter.accept(up: "prices")
    ticker.meter.begin("events")
    ticker.meter.expect(4_000_000)
    ticker.meter.add(1_000_000)
    lines.wait(for: lines.all.count + 3)
    ticker.end()
    let all = lines.all
    #expect(all.last == "prices: events, 1.0 MB of 4.0 MB (25 %)")
    ticker.meter.add(1_000_000)
    #expect(lines.all == all)
  }

  @Test("Whoever is done before the first interval shows nothing and waits for nothing")
  func short() {
    let lines = Lines()
    ProgressTicker(every: .seconds(100_000)) { lines.add($0) }.end()
    #expect(lines.all.isEmpty)
  }

  @Test("A log has a line every 30 seconds")
  func interval() { #expect(ProgressTicker.lineInterval == .seconds(30)) }
}
