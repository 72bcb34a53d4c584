import Domain
import Foundation
import Jobs
import Statistics

/// What will come of a lift once it is shipped, where the measured one is what chance helped to choose.
///
/// Whoever ships the first group that is shown to be better overstates what it brings. The posterior of the lift with a
/// prior about 0 does not, and it does not depend on when one stops (Berger & Wolpert 1988, "The likelihood principle").
package struct ExpectedLift: Sendable, Hashable {
  /// The posterior mean: a part of the baseline's value.
  package var lift: Double
  /// The posterior's interval at the job's `confidence`.
  package var interval: Interval
  /// The posterior's standard deviation.
  var deviation: Double
  /// The probability that the group is better by the metric's goal.
  package var chanceToWin: Double

  /// Nil where the lift or its variance cannot be computed.
  init?(_ row: ComparisonRow, prior: LiftPrior, alpha: Double) {
    guard let posterior = row.comparison?.expectedLift(deviation: prior.deviation, alpha: alpha) else { return nil }
    lift = posterior.mean
    interval = posterior.interval
    deviation = posterior.standardDeviation
    chanceToWin = row.goal == .increase ? posterior.chanceAbove : 1 - posterior.chanceAbove
  }
}

/// How much tests like this one move what they are about: the standard deviation of their true lifts.
package struct LiftPrior: Sendable, Hashable {
  /// τ, a part of the baseline's value.
  package var deviation: Double
  package var source: Source

  package enum Source: Sendable, Hashable {
    /// `prior:` of the job.
    case job
    /// So many ended tests of the job.
    case endedTests(Int)
    /// How much the pair's prices differ.
    case prices
    /// Nobody knows better.
    case usual
  }

  /// Where neither the job nor its past says: most tests of a paywall move money by less than 10 %, and some by far more.
  package static let usual = LiftPrior(deviation: 0.15, source: .usual)

  /// Of fewer ended tests nothing is learned.
  package static let fewestTests = 10

  /// The job's own, else what its ended tests show, else the usual one.
  init(_ job: Job, ended tests: [EndedTest]) {
    if let own = job.prior {
      self.init(deviation: own.standardDeviation, source: .job)
    } else if tests.count >= Self.fewestTests,
      let spread = PriorSpread.deviation(of: tests.flatMap(\.lifts).map { (lift: $0.lift, variance: $0.variance) })
    {
      self.init(deviation: spread, source: .endedTests(tests.count))
    } else {
      self = .usual
    }
  }

  private init(deviation: Double, source: Source) {
    (self.deviation, self.source) = (deviation, source)
  }

  /// The same for a pair that sells at different prices: half of what the prices differ by, at least.
  ///
  /// - Parameter ratio: the one price over the other; nil where they do not differ, or one is not known.
  func atPrices(ratio: Double?) -> LiftPrior {
    guard source != .job, let ratio, ratio > 0, case let least = abs(log(ratio)) / 2, least > deviation else {
      return self
    }
    return LiftPrior(deviation: least, source: .prices)
  }

  /// What a reader must know of the lifts that are expected.
  package var sentence: String {
    let size = Phrase.spoken(deviation)
    let known =
      switch source {
      case .job: "as the job's prior: says"
      case .endedTests(let count): "as its \(Phrase.count(count, "ended test")) did"
      case .prices: "as its prices differ by twice that"
      case .usual: "as is usual; prior: in the job, or ten ended tests, would say better"
      }
    return
      "Expected is less than measured, because chance helps to pick a winner. Tests like this one move results by about "
      + "\(size), \(known)."
  }
}

/// A test of the job that nobody joins any more and whose windows are over, as it was last published.
package struct EndedTest: Sendable, Hashable {
  /// Of each group but the baseline, in the first primary metric.
  package var lifts: [Lift]

  package struct Lift: Sendable, Hashable {
    package var lift: Double
    /// The delta method's.
    package var variance: Double

    package init(lift: Double, variance: Double) {
      (self.lift, self.variance) = (lift, variance)
    }
  }

  package init(lifts: [Lift]) {
    self.lifts = lifts
  }
}
