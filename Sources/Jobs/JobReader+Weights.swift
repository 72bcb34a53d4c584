import Domain
import Yams

/// How many users each group is meant to get, and since when.
extension JobReader {
  static func readWeights(_ section: YAMLSection, _ job: inout Job) {
    guard let node = section.node("weights") else { return }
    job.weightsLine = section.line(of: "weights")
    guard let entries = node.sequence else {
      let weights = YAMLSection(node, name: "weights", problems: section.problems)
      for offering in weights.entries { job.weights[Identifier(offering.key)] = groups(of: offering, section.problems) }
      return
    }
    if entries.isEmpty {
      section.problem("weights", "the list is empty; write [{from: 2026-03-01, my_offering: {control: 1, b: 1}}].")
    }
    var last: (from: Instant, name: String)?
    for (position, entry) in entries.enumerated() {
      readPhase(YAMLSection(entry, name: "weights", problems: section.problems), isFirst: position == 0, &last, &job)
    }
  }

  /// An entry of dated weights: offerings that it does not name keep those they had.
  private static func readPhase(
    _ entry: YAMLSection, isFirst: Bool, _ last: inout (from: Instant, name: String)?, _ job: inout Job
  ) {
    let (from, name) = (instant(entry, "from", job.timezone), entry.node("from")?.scalar?.string ?? "")
    if let from, let last, from <= last.from {
      entry.problem(
        "from", "\(name) does not come after \(last.name) of the entry before; write them in order of time.")
    }
    if !isFirst, entry.node("from") == nil {
      entry.problems.add(
        entry.line,
        "weights: only the first entry may go without from:; write since when these hold, {from: 2026-03-08, …}.")
    }
    if let from { last = (from, name) }
    let offerings = entry.entries.filter { $0.key != "from" }
    if offerings.isEmpty {
      entry.problems.add(
        entry.line,
        "weights: an entry names an offering beside from:, {from: 2026-03-08, my_offering: {control: 1, b: 1}}.")
    }
    for offering in offerings {
      let weights = groups(of: offering, entry.problems)
      if !weights.isEmpty, !weights.values.contains(where: { $0 > 0 }) {
        entry.problems.add(offering.line, "weights of \(offering.key): a group needs a weight above 0.")
      }
      let phase = WeightPhase(from: from, name: name, weights: weights)
      job.weightPhases[Identifier(offering.key), default: []].append(phase)
    }
  }

  private static func groups(
    of offering: (key: String, line: Int, node: Node), _ problems: JobProblems
  ) -> [Identifier: Double] {
    var weights: [Identifier: Double] = [:]
    for group in YAMLSection(offering.node, name: "weights of \(offering.key)", problems: problems).entries {
      guard let weight = group.node.scalar.flatMap({ Double($0.string) }), weight.isFinite, weight >= 0 else {
        problems.add(group.line, "the weight of \(group.key) is not a number from 0.")
        continue
      }
      weights[Identifier(group.key)] = weight
    }
    return weights
  }

  /// Refuses weights of offerings that the job does not measure and that look like one it does, which has none.
  static func checkWeights(_ section: YAMLSection, _ job: Job) {
    guard let offerings = job.offerings else { return }
    for offering in job.weightedGroups.keys.sorted() where !offerings.contains(offering) {
      let free = offerings.filter { job.weightedGroups[$0] == nil }.map(\.text).sorted()
      guard let nearest = nearestName(to: offering.text, among: free) else { continue }
      section.problem(
        "weights", "the job measures no offering \"\(offering)\"; did you mean \"\(nearest)\"?")
    }
  }
}
