import Domain
import Jobs
import Measurement
import Statistics

/// From where on users seem not to have fallen into groups as planned.
package enum SampleRatioLimits {
  /// Below this p a check fails, or warns.
  package static let suspectBelow = 0.001
  /// χ² needs so many expected users a group.
  static let minimumExpected = 5.0
}

/// The groups that are meant to get users, by id, with their weights, and since when these hold.
struct GroupShares {
  let offering: Identifier
  let groups: [Identifier]
  /// The weights in the groups' order, phase by phase; one phase where they have no dates.
  let phases: [Phase]
  /// The job gives weights with dates: counts by phase begin with the users before all of them.
  let isDated: Bool

  struct Phase {
    /// `2026-03-08`; empty where the weights hold from the first user on.
    var since: String
    var weights: [Double]
  }

  /// Users of one group.
  struct Count {
    var group: Identifier
    /// Phase by phase.
    var users: [Int]
  }

  private typealias Weights = (since: String, weights: [Identifier: Double])

  /// Without weights all groups that have users are taken as equal.
  init(of offering: OfferingMeasurement) {
    let dated: [Weights] = offering.weightPhases.map { ($0.name, $0.weights) }
    let users = offering.groups.map { Count(group: $0.id, users: [$0.assignedUsers]) }
    self.init(
      offering: offering.id, phases: dated.isEmpty ? [("", offering.weights ?? Self.equal(users))] : dated,
      isDated: !dated.isEmpty)
  }

  /// The shares of typed-in counts.
  init(offering: Identifier, weights: [Identifier: Double]?, counts: [Count]) {
    self.init(offering: offering, phases: [("", weights ?? Self.equal(counts))], isDated: false)
  }

  private init(offering: Identifier, phases: [Weights], isDated: Bool) {
    self.offering = offering
    self.isDated = isDated
    let groups = Set(phases.flatMap { $0.weights.filter { $0.value > 0 }.keys }).sorted()
    self.groups = groups
    self.phases = phases.map { phase in Phase(since: phase.since, weights: groups.map { phase.weights[$0] ?? 0 }) }
  }

  private static func equal(_ counts: [Count]) -> [Identifier: Double] {
    Dictionary(counts.map { ($0.group, 1) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Users

  /// Users assigned to each group.
  func assigned(_ offering: OfferingMeasurement) -> [Count] {
    offering.groups.map { group in
      Count(group: group.id, users: isDated ? Array(group.assignedPhases.dropFirst()) : [group.assignedUsers])
    }
  }

  /// Users measured of each group.
  func measured(_ offering: OfferingMeasurement) -> [Count] {
    offering.groups.map { group in
      let everybody = group.segments.first { $0.id == CellKey.everybody }
      return Count(group: group.id, users: isDated ? phases(of: everybody) : [group.measuredUsers])
    }
  }

  /// Users of a segment of each group.
  func users(of segment: Identifier, _ offering: OfferingMeasurement) -> [Count] {
    offering.groups.map { group in
      let own = group.segments.first { $0.id == segment }
      return Count(group: group.id, users: isDated ? phases(of: own) : [own?.users ?? 0])
    }
  }

  private func phases(of segment: SegmentMeasurement?) -> [Int] { Array(segment?.phases.dropFirst() ?? []) }

  /// Users before all phases, whose weights nobody tells.
  func beforeAll(_ offering: OfferingMeasurement) -> Int {
    isDated ? offering.groups.reduce(0) { $0 + ($1.assignedPhases.first ?? 0) } : 0
  }

  /// Users in the groups' order, phase by phase; a group nobody is in counts 0.
  private func users(_ counts: [Count]) -> [[Int]] {
    let byGroup = groups.map { group in counts.first { $0.group == group }?.users ?? [] }
    return phases.indices.map { phase in byGroup.map { $0.indices.contains(phase) ? $0[phase] : 0 } }
  }

  // MARK: - Against the weights

  /// Users beside what the weights of their phases lead one to expect.
  struct Fit {
    let users: [Int]
    let ratio: SampleRatio
    /// The fewest that any group was expected to get in any phase.
    let fewestExpected: Double
    /// The phase that is furthest off, and its users; nil where weights have no dates.
    let worst: (phase: Phase, users: [Int])?

    /// Enough for χ².
    var isLargeEnough: Bool { fewestExpected >= SampleRatioLimits.minimumExpected }

    /// The place of the group that is furthest off.
    var furthest: Int {
      func excess(_ index: Int) -> Double {
        let difference = Double(users[index]) - ratio.expected[index]
        return ratio.expected[index] > 0 ? difference * difference / ratio.expected[index] : 0
      }
      return users.indices.max { excess($0) < excess($1) } ?? 0
    }
  }

  /// Nil where there is nothing to compare: no users, or a single group.
  func fit(_ counts: [Count]) -> Fit? {
    let users = users(counts)
    let parts = zip(users, phases).map { (counts: $0, weights: $1.weights) }
    guard let ratio = SampleRatio(phases: parts) else { return nil }
    // A phase in which all were meant to get into one group says nothing of shares.
    let shared = phases.indices.filter { phases[$0].weights.count { $0 > 0 } > 1 }
    let total = groups.indices.map { group in
      shared.reduce(0) { $0 + (phases[$1].weights[group] > 0 ? users[$1][group] : 0) }
    }
    return Fit(
      users: total, ratio: ratio, fewestExpected: fewestExpected(users), worst: isDated ? worst(users) : nil)
  }

  private func fewestExpected(_ users: [[Int]]) -> Double {
    let expected = zip(users, phases).flatMap { users, phase -> [Double] in
      let meant = groups.indices.filter { phase.weights[$0] > 0 }
      let total = Double(meant.reduce(0) { $0 + users[$1] })
      let weight = meant.reduce(0) { $0 + phase.weights[$1] }
      return total > 0 && meant.count > 1 ? meant.map { total * phase.weights[$0] / weight } : []
    }
    return expected.min() ?? 0
  }

  private func worst(_ users: [[Int]]) -> (phase: Phase, users: [Int])? {
    let known = phases.indices.compactMap { phase in
      SampleRatio(phases: [(users[phase], phases[phase].weights)]).map { (phase, $0.pValue, $0.chiSquare) }
    }
    guard let worst = known.min(by: { ($0.1, -$0.2) < ($1.1, -$1.2) }) else { return nil }
    return (phases[worst.0], users[worst.0])
  }

  /// Users of groups that had no weight at their time, by group.
  func unweighted(_ counts: [Count]) -> [(group: Identifier, users: Int)] {
    counts.compactMap { count in
      let position = groups.firstIndex(of: count.group)
      let users = zip(count.users, phases).reduce(0) { sum, part in
        sum + (position.map { part.1.weights[$0] > 0 } ?? false ? 0 : part.0)
      }
      return users > 0 ? (count.group, users) : nil
    }
  }
}
