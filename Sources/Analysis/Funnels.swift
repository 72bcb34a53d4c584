import Domain
import Jobs
import Measurement
import Statistics

/// How far each group's users came, held against the baseline step by step.
enum Funnels {
  static func rows(
    of offering: OfferingMeasurement, funnels: [Job.Funnel], baseline: Identifier?, settings: AnalysisSettings
  ) -> [FunnelRow] {
    let reference = offering.groups.first { $0.id == baseline }
    return offering.groups.flatMap { group in
      zip(funnels, group.tables.funnels).enumerated().flatMap { index, pair in
        let (funnel, counts) = pair
        let own = Steps(counts, measured: group.measuredUsers)
        let other = group.id == baseline ? nil : reference
        let base = other.map { Steps($0.tables.funnels[index], measured: $0.measuredUsers) }
        return funnel.steps.indices.map { step in
          let isReachable = funnel.canReach(step, group.id)
          let isTested = isReachable && baseline.map { funnel.canReach(step, $0) } ?? false
          return FunnelRow(
            offering: offering.id, group: group.id, funnel: Identifier(funnel.name), step: step + 1,
            name: Identifier(funnel.steps[step].name), users: own.users[step],
            ofPrevious: GroupRows.share(own.users[step], of: own.before(step)),
            ofFirst: GroupRows.share(own.users[step], of: own.users[0]),
            pValue: isTested ? base.flatMap { pValue(own, $0, step: step, settings) } : nil,
            immature: counts.immature, isReachable: isReachable)
        }
      }
    }
  }

  /// The users of each funnel that parts them, those for whom the event came and those for whom it did not.
  static func splits(of offering: OfferingMeasurement, funnels: [Job.Funnel]) -> [FunnelSplitRow] {
    offering.groups.flatMap { group in
      zip(funnels, group.tables.funnels).flatMap { funnel, counts in
        guard let event = funnel.splitBy else { return [FunnelSplitRow]() }
        let without = zip(counts.users, counts.split).map { $0 - $1 }
        return [(true, counts.split), (false, without)].flatMap { happened, users in
          funnel.steps.indices.map { step in
            FunnelSplitRow(
              offering: offering.id, group: group.id, funnel: Identifier(funnel.name), event: Identifier(event),
              happened: happened, step: step + 1, name: Identifier(funnel.steps[step].name), users: users[step],
              ofFirst: GroupRows.share(users[step], of: users[0]))
          }
        }
      }
    }
  }

  /// One group's users by step.
  private struct Steps {
    let users: [Int]
    /// All who could have taken the first.
    let measured: Int
    /// Those of them who took it too short a time before the cut-off to be counted.
    let immature: Int

    init(_ counts: FunnelCounts, measured: Int) {
      users = counts.users
      self.measured = measured
      immature = counts.immature
    }

    /// Users who could take the step at all.
    func before(_ step: Int) -> Int { step == 0 ? measured : users[step - 1] }

    /// Users who took the step, of those who took the first; for the first, of all but the immature.
    func moments(_ step: Int) -> SampleMoments? {
      let accepted = Int128(users[step])
      let sums = SufficientStatistics(
        n: Int128(step == 0 ? measured - immature : users[0]), sumY: accepted, sumYY: accepted)
      return try? SampleMoments(sums, kind: .proportion)
    }
  }

  /// As of a proportion: the score test's, or an exact one where counts are small.
  private static func pValue(_ own: Steps, _ base: Steps, step: Int, _ settings: AnalysisSettings) -> Double? {
    guard let a = base.moments(step), let b = own.moments(step) else { return nil }
    return Comparison(baseline: a, other: b, options: settings.options(goal: .increase)).pValue
  }
}

extension Job.Funnel {
  /// Whether a group can come as far as the step at all, the ones before it taken.
  fileprivate func canReach(_ step: Int, _ group: Identifier) -> Bool {
    steps[...step].allSatisfy { $0.only?.contains(group) ?? true }
  }
}

/// One step of one funnel in one group.
package struct FunnelRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var funnel: Identifier
  /// From 1.
  package var step: Int
  /// The event, or several: `purchase or renewal`.
  package var name: Identifier
  /// Users who took this step and all before it.
  package var users: Int
  /// The share of those who took the step before; of the first step, of all measured users.
  package var ofPrevious: Double?
  /// The share of those who took the first step.
  package var ofFirst: Double?
  /// Of the share of the first step's users (of the first step: of all measured users but the immature) against the baseline's; nil
  /// where one of the two groups cannot take the step.
  package var pValue: Double?
  /// Users who took the first step too short a time before the cut-off to be counted.
  package var immature = 0
  /// The group can take this step and all before it.
  package var isReachable = true
}

/// One step of a funnel, for those of a group's users to whom something happened between its first step and its
/// second, or for those to whom it did not.
package struct FunnelSplitRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var funnel: Identifier
  package var event: Identifier
  package var happened: Bool
  /// From 1.
  package var step: Int
  package var name: Identifier
  package var users: Int
  /// The share of those users of theirs who took the first step.
  package var ofFirst: Double?
}
