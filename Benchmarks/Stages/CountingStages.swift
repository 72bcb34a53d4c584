import Measurement
@testable import Engine
import Benchmark
import Domain
import Statistics

/// From events to sums, and what a comparison makes of them.
func counting() {
  Benchmark("counting 1: events to their users' partitions (1,900)") { benchmark in
    let (sample, measured) = try await measuredSample()
    try sample.withFirstEvents { events in
      var router = EventRouter(
        users: measured.users, identities: .none, rates: measured.rates, cutoff: measured.cutoff,
        chunks: EventChunks(partitions: UserDirectory.partitionCount), unpriced: UnpricedRejects())
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        for event in events[..<1900] { router.receive(event) { fatalError("no event of the sample needs its place") } }
        router.finishBatch()
        router.abandonFile()
      }
      benchmark.stopMeasurement()
    }
  }
  Benchmark("counting 2: histories of users (4,000)") { benchmark in
    let measured = try await measuredSample().measured
    var tally = EventTally(files: measured.plan.history.fileCount)
    let builder = measured.plan.history.makeBuilder(cutoff: measured.plan.cutoff)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      for part in measured.partitions {
        for user in 0..<part.users.userCount { part.events.withEvents(ofUser: user) { builder.build($0, &tally) } }
      }
    }
    benchmark.stopMeasurement()
  }
  Benchmark("counting 3: histories and sums of seven metrics (4,000 users)") { benchmark in
    let measured = try await measuredSample().measured
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      var sums = measured.plan.emptySums
      for part in measured.partitions {
        PartitionAggregation(measured.plan, roster: part.users).add(part.events, to: &sums)
      }
      blackHole(sums.hasOverflowed)
    }
    benchmark.stopMeasurement()
  }
  Benchmark("statistics: comparisons of two groups (100)") { benchmark in
    let groups = try (0..<101).map { number in
      let payers = Int128(4000 + 7 * number)
      return try SampleMoments(SufficientStatistics(n: 100_000, sumY: payers, sumYY: payers), kind: .proportion)
    }
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      for other in groups.dropFirst() { blackHole(Comparison(baseline: groups[0], other: other)) }
    }
  }
}

/// Blocks of the event store, and of `--memory`.
func blocks() {
  Benchmark("blocks: write events (1,900)") { benchmark in
    let sample = try Sample.nightly.get()
    try sample.withFirstEvents { events in
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { blackHole(block(of: events[..<1900], sample)) }
      benchmark.stopMeasurement()
    }
  }
  Benchmark("blocks: read events (1,900)") { benchmark in
    let sample = try Sample.nightly.get()
    try sample.withFirstEvents { events in
      guard let bytes = block(of: events[..<1900], sample) else { return benchmark.error("too long for a block") }
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        try Block.verify(bytes, count: bytes.count)
        var (sink, outcomes) = (CountingSink(), RowOutcomes())
        try Array(bytes[Block.headSize..<bytes.count - Block.tailSize]).withText {
          try EventBlock($0, names: sample.names, types: sample.types).emit(&sink, recording: &outcomes)
        }
        blackHole(sink.events)
      }
      benchmark.stopMeasurement()
    }
  }
}

private func block(of events: ArraySlice<PurchaseEvent>, _ sample: Sample) -> [UInt8]? {
  let writer = EventBlockWriter(names: sample.names, types: sample.types)
  for event in events[..<1900] { writer.append(event) }
  return writer.finish()
}

/// The sample with its users and events in place, made once.
private func measuredSample() async throws -> (sample: Sample, measured: MeasuredSample) {
  let sample = try Sample.nightly.get()
  return (sample, try await MeasuredOnce.shared.value(of: sample))
}

private actor MeasuredOnce {
  static let shared = MeasuredOnce()
  private var known: MeasuredSample?

  func value(of sample: Sample) async throws -> MeasuredSample {
    if let known { return known }
    let made = try await MeasuredSample(sample, until: "2026-06-01")
    known = made
    return made
  }
}
