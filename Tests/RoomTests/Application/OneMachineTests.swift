import Testing

@testable import Application

@Suite("When a job's inputs are too much for one machine")
struct OneMachineTests {
  private func load(gigabytes: Double) -> InputLoad {
    InputLoad(bytes: gigabytes * 1e9, unpackedBytes: gigabytes * 7e9, rows: gigabytes * 20e6)
  }

  @Test("Nothing is said where a night takes less than two hours and its partitions fit the disk")
  func enough() {
    let machine = OneMachine(cores: 2, memory: 8e9, freeDisk: 1e12)
    #expect(machine.advice(for: load(gigabytes: 0.3)) == nil)
    #expect(machine.advice(for: load(gigabytes: 400)) == nil)
  }

  @Test("Where it takes longer, the sentence has this input's size, rows and hours")
  func tooLong() {
    let advice = OneMachine(cores: 2, memory: 8e9, freeDisk: 1e13).advice(for: load(gigabytes: 1000))
    #expect(
      advice
        == "These inputs are 1,000 GB on the disk, about 20,000 million rows: on this machine's 2 cores a night takes "
        + "about 4.7 hours. Apache Spark takes about 48 minutes on 64 cores: see jobs/spark.md.")
    #expect(OneMachine(cores: 32, memory: 8e9, freeDisk: 1e13).advice(for: load(gigabytes: 1000)) == nil)
  }

  @Test("Where its partitions do not fit the disk, the sentence says how much they need and how much there is")
  func tooLarge() throws {
    let advice = try #require(OneMachine(cores: 2, memory: 8e9, freeDisk: 50e9).advice(for: load(gigabytes: 100)))
    #expect(advice.contains("a night takes about 29 minutes and 93.2 GB of the disk, of which 50 GB are free."))
    #expect(OneMachine(cores: 2, memory: 300e9, freeDisk: 50e9).advice(for: load(gigabytes: 100)) == nil)
  }

  @Test("Rows are left out where they could not be counted")
  func withoutRows() throws {
    let load = InputLoad(bytes: 5e12, unpackedBytes: 5e12)
    let advice = try #require(OneMachine(cores: 2, memory: 8e9, freeDisk: 1e13).advice(for: load))
    #expect(
      advice.hasPrefix(
        "These inputs are 5,000 GB on the disk: on this machine's 2 cores a night takes about 3.4 hours."))
  }
}
