import Domain
import Foundation
import Statistics

/// Whether to go on with a test: what it shows, whether it still can show anything, and what waiting costs.
package struct StopAdvice: Sendable, Hashable {
  package enum Word: String, Sendable, CaseIterable {
    /// It is decided: act on it.
    case ship
    /// Even the best that fits the figures would hardly be found by the planned end, or a planned look's bound says so.
    case futile
    /// Neither.
    case wait

    package var meaning: String {
      switch self {
      case .ship: "it is decided: act on it"
      case .futile:
        "even the best that fits the figures would be found by the planned end in fewer than 1 of 10 cases, "
          + "or a planned look lies below its bound of futility"
      case .wait: "neither"
      }
    }
  }

  package var word: Word
  /// A planned look lies below its bound of futility.
  var isBelowBound = false
  /// The chance to find by the planned end what is expected; nil without a plan, and where it is over.
  package var chance: Double?
  /// More nights until what is expected would be decided; nil where that takes for ever or nobody joins.
  package var nights: Int?
  /// The same of the expected interval's better and worse end; nil where that takes for ever.
  package var fewestNights: Int?
  package var mostNights: Int?
  /// The lift that choosing by tonight's figures loses on average, and by how much one more night makes that less.
  package var lossNow: Double?
  package var valueOfNight: Double?

  /// In fewer cases than this nobody waits for the end.
  private static let hopeless = 0.1
  /// Nobody waits longer, in nights.
  private static let longest = 3650.0

  /// Nil where nothing can be expected of the comparison.
  ///
  /// - Parameters:
  ///   - usersPerDay: of all groups.
  ///   - level: what the comparison has of α.
  init?(
    _ row: ComparisonRow, expected: ExpectedLift?, call: Call, progress: PlanProgress?, usersPerDay: Double?,
    level: Double, rule: any DecisionRule, parameters: DecisionParameters
  ) {
    guard let expected, let comparison = row.comparison, let error = comparison.standardError, error > 0,
      let baseline = row.baselineValue, baseline > 0, let lift = row.lift
    else { return nil }
    // Of the lift as of the difference, at the baseline's value.
    let deviation = error / baseline
    let perNight = usersPerDay.flatMap { $0 > 0 ? $0 / comparison.users : nil }
    if let perNight,
      let next = NextLook(
        mean: expected.lift, standardDeviation: expected.deviation, sampleError: deviation / perNight.squareRoot())
    {
      (lossNow, valueOfNight) = (next.expectedLoss, next.value)
    }
    func nights(_ lift: Double) -> Int? {
      guard let perNight, let c = comparison.decidingMultiplier(level: level), lift != 0 else { return nil }
      let factor = c * deviation / lift
      let more = (factor * factor - 1) / perNight
      return more < Self.longest ? Int(max(0, more.rounded(.up))) : nil
    }
    self.nights = nights(expected.lift)
    let ends = [expected.interval.low, expected.interval.high].map(abs).sorted()
    fewestNights = nights(ends[1])
    mostNights = expected.interval.contains(0) ? nil : nights(ends[0])
    if let left = progress?.nightsLeft, left > 0, let perNight, let planned = progress?.plan.nights {
      let time = 1 / (1 + perNight * Double(left))
      let last = rule.lastLook(nights: planned, parameters)
      let bound = comparison.decidingMultiplier(level: level, look: last, by: rule.test(parameters))
      if let bound, let seen = ConditionalPower(statistic: lift / deviation, time: time, critical: bound) {
        func found(_ lift: Double) -> Double {
          let drift = lift / (deviation * time.squareRoot())
          return lift < 0 ? Self.mirrored(seen, drift: drift) : seen.probability(drift: drift)
        }
        chance = found(expected.lift)
        let best = max(found(expected.interval.low), found(expected.interval.high))
        word = best < Self.hopeless ? .futile : .wait
      } else {
        word = .wait
      }
    } else {
      word = .wait
    }
    isBelowBound = rule.isFutile(row, parameters)
    if isBelowBound { word = .futile }
    if [.ship, .drop].contains(call) { word = .ship }
  }

  /// The chance to find a difference below 0.
  private static func mirrored(_ seen: ConditionalPower, drift: Double) -> Double {
    ConditionalPower(statistic: -seen.statistic, time: seen.time, critical: seen.critical)?
      .probability(drift: -drift) ?? 0
  }
}
