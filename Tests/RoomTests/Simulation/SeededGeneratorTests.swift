import Testing

@testable import Simulation

@Suite("Seeded generator")
struct SeededGeneratorTests {
  /// The first outputs of SplitMix64 for the state 1234567, as its authors' C code prints them.
  @Test("mixes as the published SplitMix64 does")
  func published() {
    let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15
    let outputs = (1...3).map { SeededGenerator.mixed(1_234_567 &+ gamma &* UInt64($0)) }
    #expect(outputs == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("gives the same sequence for the same seed, stream and index, and another for any other")
  func streams() {
    let base = sequence(seed: 1, .life, 5)
    #expect(base == sequence(seed: 1, .life, 5))
    #expect(base != sequence(seed: 2, .life, 5))
    #expect(base != sequence(seed: 1, .dirt, 5))
    #expect(base != sequence(seed: 1, .life, 6))
  }

  private func sequence(seed: UInt64, _ stream: SeededGenerator.Stream, _ index: UInt64) -> [UInt64] {
    var draws = SeededGenerator(seed: seed, stream: stream, index: index)
    return (0..<4).map { _ in draws.next() }
  }

  @Test("draws every number of a range about as often, and none outside it")
  func ranges() {
    var draws = SeededGenerator(seed: 3, stream: .life, index: 0)
    var counts: [Int64: Int] = [:]
    for _ in 0..<60_000 { counts[draws.within(-2...3), default: 0] += 1 }
    #expect(counts.keys.sorted() == [-2, -1, 0, 1, 2, 3])
    #expect(counts.values.allSatisfy { (9500...10_500).contains($0) })
  }

  @Test("lets a share happen as often as it says")
  func shares() throws {
    let share = try #require(Share("0.03"))
    var draws = SeededGenerator(seed: 4, stream: .life, index: 0)
    let hits = (0..<100_000).count { _ in draws.happens(share) }
    #expect((2800...3200).contains(hits))
    let extremes = [draws.happens(.zero), draws.happens(.one)]
    #expect(extremes == [false, true])
  }
}
