import Domain

/// Weights of an offering's groups that hold from a time on, until others do: a ramp, a group that joined later.
package struct WeightPhase: Sendable, Hashable {
  /// When they begin to hold; nil is from the first assignment on.
  package var from: Instant?
  /// `from:` as the job writes it, `2026-03-08`; empty where it says none.
  package var name: String
  /// Relative weights by group; a group that is not named is meant to get nobody.
  package var weights: [Identifier: Double]

  package init(from: Instant?, name: String, weights: [Identifier: Double]) {
    self.from = from
    self.name = name
    self.weights = weights
  }
}

extension Job {
  /// Every group that the job's weights name, by offering.
  package var weightedGroups: [Identifier: Set<Identifier>] {
    weights.mapValues { Set($0.keys) }.merging(
      weightPhases.mapValues { phases in phases.reduce(into: Set()) { $0.formUnion($1.weights.keys) } }
    ) { $0.union($1) }
  }
}

/// Whether the offerings and groups that a job's weights name are there.
package struct WeightRule {
  package let job: Job

  package init(job: Job) {
    self.job = job
  }

  /// Refuses names that nobody is assigned to and that look like one that is there and has no weight: groups of the
  /// weights in which nobody is may be lost ones, and a check says so.
  ///
  /// - Parameter offerings: the offerings to measure, each with the groups of its assignments and its catalog.
  /// - Throws: `OfferliftError`, exit 78, with a sentence for each such name.
  package func verify(_ offerings: [Identifier: Set<Identifier>]) throws {
    let weighted = job.weightedGroups
    let problems = weighted.sorted { $0.key < $1.key }.flatMap { offering, groups -> [String] in
      guard let known = offerings[offering] else {
        let free = offerings.keys.filter { weighted[$0] == nil }
        return problem("nobody is assigned to an offering \"\(offering)\"", offering, free)
      }
      return groups.subtracting(known).sorted().flatMap { group in
        problem("the offering \"\(offering)\" has no group \"\(group)\"", group, free(beside: group, offering, known))
      }
    }
    if !problems.isEmpty { throw OfferliftError(.badJobFile, problems: problems) }
  }

  /// The groups that have no weight where this one has.
  private func free(beside group: Identifier, _ offering: Identifier, _ known: Set<Identifier>) -> [Identifier] {
    let all = [job.weights[offering, default: [:]]] + job.weightPhases[offering, default: []].map(\.weights)
    return all.filter { $0[group] != nil }.reduce(into: Set()) { $0.formUnion(known.subtracting($1.keys)) }.sorted()
  }

  private func problem(_ what: String, _ name: Identifier, _ others: [Identifier]) -> [String] {
    guard let nearest = nearestName(to: name.text, among: others.map(\.text).sorted()) else { return [] }
    let position = job.file.lastPathComponent + (job.weightsLine.map { ", line \($0)" } ?? "")
    return ["\(position): weights: \(what); did you mean \"\(nearest)\"?"]
  }
}
