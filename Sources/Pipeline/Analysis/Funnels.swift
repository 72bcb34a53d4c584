import Statistics

/// How far each group's users came, held against the baseline step by step.
enum Funnels {
  static func rows(
    of offering: OfferingMeasurement, funnels: [Job.Funnel], baseline: Identifier?, settings: AnalysisSettings
  ) -> [FunnelRow] {
    let reference = offering.groups.first { $0.id == baseline }
    return offering.groups.flatMap { group in
      zip(funnels, group.tables.funnels).enumerated().flatMap { index, pair in
        let own = Steps(users: pair.1, measured: group.measuredUsers)
        let other = group.id == baseline ? nil : reference
        let base = other.map { Steps(users: $0.tables.funnels[index], measured: $0.measuredUsers) }
        return pair.0.steps.indices.map { step in
          FunnelRow(
            offering: offering.id, group: group.id, funnel: Identifier(pair.0.name), step: step + 1,
            name: Identifier(pair.0.steps[step]), users: own.users[step],
            ofPrevious: GroupRows.share(own.users[step], of: own.before(step)),
            ofFirst: GroupRows.share(own.users[step], of: own.users[0]),
            pValue: base.flatMap { pValue(own, $0, step: step, settings) })
        }
      }
    }
  }

  /// One group's users by step.
  private struct Steps {
    var users: [Int]
    /// All who could have taken the first.
    var measured: Int

    /// Users who could take the step at all.
    func before(_ step: Int) -> Int { step == 0 ? measured : users[step - 1] }

    /// Users who took the step, of those who took the first; for the first, of all.
    func moments(_ step: Int) -> SampleMoments? {
      let taken = Int128(users[step])
      let sums = SufficientStatistics(n: Int128(step == 0 ? measured : users[0]), sumY: taken, sumYY: taken)
      return try? SampleMoments(sums, kind: .proportion)
    }
  }

  /// As of a proportion: Welch's, or an exact one where counts are small.
  private static func pValue(_ own: Steps, _ base: Steps, step: Int, _ settings: AnalysisSettings) -> Double? {
    guard let a = base.moments(step), let b = own.moments(step) else { return nil }
    return Comparison(baseline: a, other: b, options: settings.options(goal: .increase)).pValue
  }
}

/// One step of one funnel in one group.
struct FunnelRow: Sendable {
  var offering: Identifier
  var group: Identifier
  var funnel: Identifier
  /// From 1.
  var step: Int
  /// The event.
  var name: Identifier
  /// Users who took this step and all before it.
  var users: Int
  /// The share of those who took the step before; of the first step, of all measured users.
  var ofPrevious: Double?
  /// The share of those who took the first step.
  var ofFirst: Double?
  /// Of the share of the first step's users (of the first step: of all measured users) against the baseline's.
  var pValue: Double?
}
