import Testing

@testable import Application
@testable import Platform

@Suite("How far a command has come, in a line")
struct ProgressLineTests {
  private func line(_ state: ProgressMeter.State, seconds: Double = 4) -> String {
    ProgressLine.text(state, seconds: seconds)
  }

  @Test("It tells subject, stage, bytes, share, rate and time left")
  func whole() {
    let state = ProgressMeter.State(
      subject: "prices 2026-04-30", stage: "events", bytes: 1_000_000_000, allBytes: 4_000_000_000)
    #expect(line(state) == "prices 2026-04-30: events, 1.0 GB of 4.0 GB (25 %), 250 MB/s, 12 s left")
    #expect(line(state, seconds: 0.5) == "prices 2026-04-30: events, 1.0 GB of 4.0 GB (25 %)")
  }

  @Test("What is not known is left out")
  func unknown() {
    #expect(line(ProgressMeter.State(subject: "prices", stage: "attribution")) == "prices: attribution")
    #expect(line(ProgressMeter.State(stage: "purchases", bytes: 2_500_000)) == "purchases, 2.5 MB, 625 kB/s")
    #expect(line(ProgressMeter.State(subject: "prices")) == "prices")
    #expect(line(ProgressMeter.State()).isEmpty)
  }

  @Test("More bytes than were expected, of a file that grew, are no share")
  func grown() {
    #expect(line(ProgressMeter.State(stage: "events", bytes: 12, allBytes: 10)) == "events, 12 B, 3 B/s")
  }

  @Test(
    "Sizes have three digits at the most",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_940, "99.9 kB"), (99_960, "100 kB"), (999_600, "1.0 MB"),
    ]
      as [(Int64, String)])
  func sizes(bytes: Int64, text: String) {
    #expect(ProgressLine.size(bytes) == text)
  }

  @Test(
    "Times are rounded as people say them",
    arguments: [(0.2, "1 s"), (99, "99 s"), (100, "2 min"), (3600, "60 min"), (7500, "2 h 5 min")] as [(Double, String)]
  )
  func times(seconds: Double, text: String) {
    #expect(ProgressLine.time(seconds) == text)
  }

  @Test("A stage begins at no bytes, and a subject at no stage; tasks inherit the meter")
  func meter() async {
    let meter = ProgressMeter()
    await ProgressMeter.$current.withValue(meter) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { ProgressMeter.current?.add(10) } }
      }
    }
    #expect(meter.state.bytes == 40)
    meter.accept(up: "prices")
    meter.begin("events")
    meter.expect(7)
    meter.add(3)
    var state = meter.state
    #expect(state.bytes == 3 && state.allBytes == 7 && state.subject == "prices" && state.stage == "events")
    meter.begin("attribution")
    state = meter.state
    #expect(state.bytes == 0 && state.allBytes == nil && state.subject == "prices")
    #expect(ProgressMeter.current == nil)
  }
}
