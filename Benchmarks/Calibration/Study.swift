import Simulation

/// Many simulated tests of one kind, and the figures they show.
struct Study: Sendable {
  /// The section of the page it belongs to.
  let section: Section
  let figures: [Figure]
  /// Simulated tests of a full run.
  let simulations: Int
  /// Simulates one test and adds to each figure's tally.
  let simulate: @Sendable (_ random: inout RandomStream, _ tallies: inout [Tally]) throws -> Void

  enum Section: Sendable, CaseIterable {
    case level, exact, coverage, sweep, adjusted, samples, nights, fewPayers, reports, denominators, power, sampleRatio
    case moved, many, programmes, planned, plannedFalseCalls
  }

  /// What it came to.
  struct Outcome: Sendable {
    let study: Study
    var tallies: [Tally]
  }
}

extension Study {
  /// Every study, in the order of the page.
  static var all: [Study] {
    FalseAlarms.studies + ExactTests.studies + GroupCoverage.studies + RevenueSweep.studies
      + AdjustedCoverage.studies + SampleCoverage.studies + NightlyLooks.studies + FewPayers.studies
      + ShareLooks.studies + WholeReports.studies + SegmentLooks.studies + MedianLooks.studies
      + RetentionLooks.studies + Denominators.studies + PowerStudies.studies + SampleRatioLooks.studies
      + MovedShares.studies + ManyTests.studies + Programmes.studies + PlannedEnds.studies
      + LatchedCalls.studies + Guardrails.studies + PlannedFalseCalls.studies
  }

  /// Runs studies, their simulations in blocks that threads take in turns: the figures depend on the seed and
  /// the scale alone, not on the threads.
  ///
  /// - Parameter scale: simulations as a part of a full run's.
  static func run(
    _ studies: [Study], scale: Double, seed: UInt64, threads: Int,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> [Outcome] {
    let blocks = studies.indices.flatMap { study in
      (0..<blocksPerStudy).map { Block(study: study, number: $0) }
    }
    let parts = try await withThrowingTaskGroup(of: [(Int, [Tally])].self) { group in
      for thread in 0..<threads {
        group.addTask {
          try stride(from: thread, to: blocks.count, by: threads).map { index in
            let block = blocks[index]
            if block.number == 0 { progress(block.study) }
            return (block.study, try studies[block.study].tallies(of: block, scale: scale, seed: seed))
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    var outcomes = studies.map { Outcome(study: $0, tallies: $0.figures.map { _ in Tally() }) }
    // Sums of zeros and ones, and of shares in order of the blocks: the same whoever came first.
    for (study, tallies) in parts {
      for index in tallies.indices { outcomes[study].tallies[index].merge(tallies[index]) }
    }
    return outcomes
  }

  private static let blocksPerStudy = 16

  private struct Block {
    let study: Int
    let number: Int
  }

  private func tallies(of block: Block, scale: Double, seed: UInt64) throws -> [Tally] {
    let wanted = max(1, Int(Double(simulations) * scale))
    let count = wanted / Self.blocksPerStudy + (block.number < wanted % Self.blocksPerStudy ? 1 : 0)
    var random = RandomStream(seed: seed, study: block.study, block: block.number)
    var tallies = figures.map { _ in Tally() }
    for _ in 0..<count { try simulate(&random, &tallies) }
    return tallies
  }
}
