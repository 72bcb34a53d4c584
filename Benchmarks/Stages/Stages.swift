import Benchmark
import Measurement

/// One benchmark for each stage of a run's hot path, in the order of the stages: `Benchmarks/run.sh --stages`.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], warmupIterations: 3, maxDuration: .seconds(2))
  reading()
  counting()
  blocks()
}
