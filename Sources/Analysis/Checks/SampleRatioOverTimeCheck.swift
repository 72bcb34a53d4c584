import Domain
import Jobs
import Measurement

/// `sample_ratio_over_time`: did users join the groups in the same shares all the time?
///
/// A ramp, a group that joined late or left early: its users are younger or older than the others', so that whatever
/// takes time, refunds too, is compared unequally, and a mix of times in which one day differs from the next makes
/// groups differ that are alike on each of them. The p-value may be read every night. Where weights are dated, each
/// phase's users are held against its own.
struct SampleRatioOverTimeCheck: HealthCheck {
  let terms = CheckTerms(
    "sample_ratio_over_time",
    "the groups' shares of those who join change from day to day, or are not those of dated weights, at p < 0.001 however often you look: fails"
  )

  func checks(of checked: CheckedOffering) -> [Check] {
    let shares = GroupShares(of: checked.offering)
    guard !shares.isDated else { return againstPhases(shares, checked.offering) }
    guard let change = ShareChange(checked.offering, shares.groups) else { return [] }
    let status: Check.Status = !change.isReal ? .pass : checked.isComparedByDay ? .warn : .fail
    return [
      Check(
        offering: checked.offering.id, name: name, status: status, observed: change.after, expected: change.before,
        pValue: change.pValue, message: message(change, status))
    ]
  }

  private func againstPhases(_ shares: GroupShares, _ offering: OfferingMeasurement) -> [Check] {
    guard let fit = shares.fit(shares.assigned(offering)) else { return [] }
    let pValue = fit.ratio.sequentialPValue
    let isOff = pValue < SampleRatioLimits.suspectBelow
    let words = SampleRatioWords(shares: shares, fit: fit, pValue: pValue, subject: "")
    return [
      Check(
        offering: offering.id, name: name, status: isOff ? .fail : .pass, observed: Double(fit.users[fit.furthest]),
        expected: fit.ratio.expected[fit.furthest], pValue: pValue, message: isOff ? words.failure : words.pass,
        figures: words.figures)
    ]
  }

  // MARK: - Words

  private func message(_ change: ShareChange, _ status: Check.Status) -> String {
    let group = change.group
    guard status != .pass else {
      return "Users joined the groups in the same shares all the time; \(Phrase.pValue(change.pValue))."
    }
    let was =
      "\(Phrase.percent(change.before)) of those who joined before \(change.day) are in \(group.inWords), "
      + "\(Phrase.percent(change.after)) of those since; \(Phrase.pValue(change.pValue)). "
    guard status == .fail else {
      return was + "The metrics that decide are compared day by day (stratify: day), so that this moves none of them; "
        + "quantiles, curves and every other metric are still compared over all days together."
    }
    return was
      + "So the groups' users joined at different times, and no figure over all of them compares like with like. If the "
      + "weights were changed, give them with their dates, weights: [{from: …}, {from: \(change.day), …}]; else give the "
      + "metrics stratify: day, or keep to a time of equal shares, enrolment: {from: \(change.day)}."
  }
}
