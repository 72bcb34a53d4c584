import Domain
import Jobs
import Measurement
import Statistics

/// `sample_ratio`, `sample_ratio_sequential`: did users fall into the groups as the weights say?
///
/// If not, somebody or something sorted them (lost assignments, a crash in one variant, bots), and no figure
/// that follows can be believed. The first is χ², for one look: where a test is looked at every night it only warns. The
/// second may be read every night. Both look at everybody and into every segment: equal totals may hide 2:1 and 1:2 by
/// device, and a group that is worse on both devices then looks better. Users assigned while other weights held are
/// held against those.
package struct SampleRatioCheck: HealthCheck {
  let terms = CheckTerms(
    "sample_ratio",
    "users fall into groups, or a segment's users do (Holm), otherwise than the weights say, at p < 0.001: fails with `decide_by: fixed`, else warns, since it is for a single look"
  )
  /// The one that may be read every night.
  private let sequentialTerms = CheckTerms(
    "sample_ratio_sequential",
    "users fall into groups, or a segment's users do (Holm), otherwise than the weights say, at p < 0.001 however often you look: fails"
  )
  var companions: [CheckTerms] { [sequentialTerms] }

  /// The checks over everybody, by population, and by segment.
  func checks(of checked: CheckedOffering) -> [Check] {
    let (offering, shares) = (checked.offering, GroupShares(of: checked.offering))
    let judge = Judge(shares, settings: checked.settings, isByDay: checked.isChangeAccountedFor)
    let assigned = shares.assigned(offering)
    var checks = unweighted(shares, assigned) + beforeAll(shares, offering)
    checks += overall(judge, assigned, subject: "")
    if checked.job.population == .exposed {
      checks += overall(judge, shares.measured(offering), subject: "exposed users")
    }
    return checks + bySegment(judge, offering)
  }

  /// The checks of typed-in counts: one population, no segments.
  func checks(
    of counts: [GroupShares.Count], weights: [Identifier: Double]?, offering: Identifier,
    settings: AnalysisSettings
  ) -> [Check] {
    let shares = GroupShares(offering: offering, weights: weights, counts: counts)
    return unweighted(shares, counts)
      + overall(Judge(shares, settings: settings, isByDay: false), counts, subject: "")
  }

  /// What a p too small to believe comes to.
  private struct Judge {
    let shares: GroupShares
    /// Of χ², and of the test that may be read every night.
    let once: Check.Status
    let nightly: Check.Status

    /// - Parameter isByDay: the shares changed with time, and every metric is compared day by day.
    init(_ shares: GroupShares, settings: AnalysisSettings, isByDay: Bool) {
      self.shares = shares
      once = settings.test.isForOneLook && !isByDay ? .fail : .warn
      nightly = isByDay ? .warn : .fail
    }
  }

  /// Groups that have users but no weight.
  private func unweighted(_ shares: GroupShares, _ counts: [GroupShares.Count]) -> [Check] {
    shares.unweighted(counts).map { group, users in
      let isLate = shares.groups.contains(group)
      let when = isLate ? ", which had no weight when they were assigned" : ", which has no weight"
      return Check(
        offering: shares.offering, name: name, subject: "group \(group)", status: .fail,
        observed: Double(users), expected: 0,
        message:
          "\(Phrase.count(users, "user")) are in \(group.inWords)\(when): nobody should "
          + "be. Add its weight, or find out where these assignments come from.")
    }
  }

  /// Users before the first of dated weights.
  private func beforeAll(_ shares: GroupShares, _ offering: OfferingMeasurement) -> [Check] {
    let users = shares.beforeAll(offering)
    guard users > 0, let first = shares.phases.first else { return [] }
    return [
      Check(
        offering: shares.offering, name: name, subject: "before \(first.since)", status: .warn,
        observed: Double(users), expected: 0,
        message: "\(Phrase.count(users, "user")) were assigned before \(first.since), for which no weights are given: "
          + "whether they fell into the groups as planned nobody can tell. Give weights: an entry for that time too.")
    ]
  }

  private func overall(_ judge: Judge, _ counts: [GroupShares.Count], subject: String) -> [Check] {
    guard let fit = judge.shares.fit(counts) else { return [] }
    return [
      chiSquare(judge, fit, pValue: fit.ratio.pValue, subject: subject),
      sequential(judge, fit, pValue: fit.ratio.sequentialPValue, subject: subject),
    ]
  }

  private func bySegment(_ judge: Judge, _ offering: OfferingMeasurement) -> [Check] {
    let segments = Set(offering.groups.flatMap { $0.segments.map(\.id) }).sorted()
    let fits = segments.filter { $0 != CellKey.everybody }.compactMap { segment in
      judge.shares.fit(judge.shares.users(of: segment, offering)).map { (subject: "segment \(segment)", fit: $0) }
    }
    let large = fits.filter(\.fit.isLargeEnough)
    let once = Adjustment.holm.adjusted(large.map(\.fit.ratio.pValue))
    let nightly = Adjustment.holm.adjusted(fits.map(\.fit.ratio.sequentialPValue))
    return zip(large, once).map { chiSquare(judge, $0.fit, pValue: $1 ?? 1, subject: $0.subject) }
      + zip(fits, nightly).map { sequential(judge, $0.fit, pValue: $1 ?? 1, subject: $0.subject) }
  }

  // MARK: - Rows

  private func chiSquare(_ judge: Judge, _ fit: GroupShares.Fit, pValue: Double, subject: String) -> Check {
    guard fit.isLargeEnough else { return tooFew(judge.shares, fit, subject: subject) }
    return check(name, judge, fit, pValue: pValue, subject: subject, verdict: judge.once)
  }

  private func sequential(_ judge: Judge, _ fit: GroupShares.Fit, pValue: Double, subject: String) -> Check {
    check(sequentialTerms.name, judge, fit, pValue: pValue, subject: subject, verdict: judge.nightly)
  }

  /// One check; observed and expected are the users of the group that is furthest off, `verdict` what a p too small
  /// to believe comes to.
  private func check(
    _ name: String, _ judge: Judge, _ fit: GroupShares.Fit, pValue: Double, subject: String, verdict: Check.Status
  ) -> Check {
    let status = pValue < SampleRatioLimits.suspectBelow ? verdict : .pass
    let words = SampleRatioWords(shares: judge.shares, fit: fit, pValue: pValue, subject: subject)
    let message =
      switch status {
      case .pass: words.pass
      case .fail: words.failure
      case .warn: judge.nightly == .warn ? words.changed : words.suspicion
      }
    return Check(
      offering: judge.shares.offering, name: name, subject: subject, status: status,
      observed: Double(fit.users[fit.furthest]), expected: fit.ratio.expected[fit.furthest], pValue: pValue,
      message: message, figures: words.figures)
  }

  private func tooFew(_ shares: GroupShares, _ fit: GroupShares.Fit, subject: String) -> Check {
    Check(
      offering: shares.offering, name: name, subject: subject, status: .warn,
      observed: fit.fewestExpected, expected: SampleRatioLimits.minimumExpected,
      message: SampleRatioWords(shares: shares, fit: fit, pValue: 1, subject: subject).tooFew,
      figures: SampleRatioWords(shares: shares, fit: fit, pValue: 1, subject: subject).figures)
  }
}
