import Domain
import Engine
import Jobs
import Statistics

/// `sample_ratio`, `sample_ratio_sequential`: did users fall into the groups as the weights say?
///
/// If not, somebody or something sorted them (lost assignments, a crash in one variant, bots), and no figure
/// that follows can be believed. The first is χ², for one look: where a test is looked at every night it only warns. The
/// second may be read every night.
package struct SampleRatioCheck: HealthCheck {
  let terms = CheckTerms(
    "sample_ratio",
    "users fall into groups, or a segment's users do (Holm), otherwise than the weights say, at p < 0.001: fails with `decide_by: fixed`, else warns, since it is for a single look"
  )
  /// The one that may be read every night.
  private let sequentialTerms = CheckTerms(
    "sample_ratio_sequential",
    "users fall into groups otherwise than the weights say, at p < 0.001 however often you look: fails")
  var companions: [CheckTerms] { [sequentialTerms] }

  /// Below this a check fails, or warns.
  package static let suspectBelow = 0.001
  /// χ² needs so many expected users a group.
  static let minimumExpected = 5.0

  /// The checks over everybody, by population, and by segment.
  func checks(of checked: CheckedOffering) -> [Check] {
    let (offering, decideBy) = (checked.offering, checked.job.decideBy)
    let assigned = offering.groups.map { GroupCount(group: $0.id, users: $0.assignedUsers) }
    let measured = offering.groups.map { GroupCount(group: $0.id, users: $0.measuredUsers) }
    let scheme = Scheme(offering: offering.id, weights: offering.weights, counts: assigned, decideBy: decideBy)
    var checks = unweighted(scheme, assigned)
    checks += overall(scheme, assigned, subject: "")
    if checked.job.population == .exposed { checks += overall(scheme, measured, subject: "exposed users") }
    return checks + bySegment(scheme, offering)
  }

  /// The checks of typed-in counts: one population, no segments.
  func checks(
    of counts: [GroupCount], weights: [Identifier: Double]?, offering: Identifier, decideBy: DecidingTest
  ) -> [Check] {
    let scheme = Scheme(offering: offering, weights: weights, counts: counts, decideBy: decideBy)
    return unweighted(scheme, counts) + overall(scheme, counts, subject: "")
  }

  /// Users of one group.
  struct GroupCount {
    var group: Identifier
    var users: Int
  }

  /// The groups that are meant to get users, with their weights, by id.
  private struct Scheme {
    var offering: Identifier
    var groups: [Identifier]
    var weights: [Double]
    /// How the test is read.
    var decideBy: DecidingTest

    /// Without weights all groups that have users are taken as equal.
    init(
      offering: Identifier, weights: [Identifier: Double]?, counts: [GroupCount], decideBy: DecidingTest
    ) {
      self.offering = offering
      self.decideBy = decideBy
      let weights =
        weights ?? Dictionary(counts.map { ($0.group, 1) }, uniquingKeysWith: { first, _ in first })
      groups = weights.keys.filter { (weights[$0] ?? 0) > 0 }.sorted()
      self.weights = groups.map { weights[$0] ?? 0 }
    }

    /// Users in the scheme's order; a group nobody is in counts 0.
    func users(_ counts: [GroupCount]) -> [Int] {
      groups.map { group in counts.first { $0.group == group }?.users ?? 0 }
    }

    func result(_ counts: [GroupCount]) -> SampleRatio? {
      SampleRatio(counts: users(counts), weights: weights)
    }
  }

  /// Groups that have users but no weight.
  private func unweighted(_ scheme: Scheme, _ counts: [GroupCount]) -> [Check] {
    counts.filter { $0.users > 0 && !scheme.groups.contains($0.group) }.map { count in
      Check(
        offering: scheme.offering, name: name, subject: "group \(count.group)", status: .fail,
        observed: Double(count.users), expected: 0,
        message:
          "\(Phrase.count(count.users, "user")) are in \(count.group), which has no weight: nobody should "
          + "be. Add its weight, or find out where these assignments come from.")
    }
  }

  private func overall(_ scheme: Scheme, _ counts: [GroupCount], subject: String) -> [Check] {
    guard let result = scheme.result(counts) else { return [] }
    let users = scheme.users(counts)
    let sequential = check(
      sequentialTerms.name, scheme, users, result, pValue: result.sequentialPValue, subject: subject,
      verdict: .fail)
    return [chiSquare(scheme, users, result, pValue: result.pValue, subject: subject), sequential]
  }

  private func bySegment(_ scheme: Scheme, _ offering: OfferingMeasurement) -> [Check] {
    let segments = Set(offering.groups.flatMap { $0.segments.map(\.id) }).sorted()
    let tested = segments.filter { $0 != CellKey.everybody }.compactMap { segment -> SegmentResult? in
      let counts = offering.groups.map { group in
        GroupCount(group: group.id, users: group.segments.first { $0.id == segment }?.users ?? 0)
      }
      guard let result = scheme.result(counts), isLargeEnough(result) else { return nil }
      return SegmentResult(segment: segment, users: scheme.users(counts), result: result)
    }
    let adjusted = Adjustment.holm.adjusted(tested.map(\.result.pValue))
    return zip(tested, adjusted).map { test, pValue in
      chiSquare(scheme, test.users, test.result, pValue: pValue ?? 1, subject: "segment \(test.segment)")
    }
  }

  private struct SegmentResult {
    var segment: Identifier
    var users: [Int]
    var result: SampleRatio
  }

  private func isLargeEnough(_ result: SampleRatio) -> Bool {
    result.expected.allSatisfy { $0 >= Self.minimumExpected }
  }

  private func chiSquare(
    _ scheme: Scheme, _ users: [Int], _ result: SampleRatio, pValue: Double, subject: String
  ) -> Check {
    guard isLargeEnough(result) else { return tooFew(scheme, users, result, subject: subject) }
    return check(
      name, scheme, users, result, pValue: pValue, subject: subject,
      verdict: scheme.decideBy == .fixed ? .fail : .warn)
  }

  /// One check; observed and expected are the users of the group that is furthest off, `verdict` what a p too small
  /// to believe comes to.
  private func check(
    _ name: String, _ scheme: Scheme, _ users: [Int], _ result: SampleRatio, pValue: Double, subject: String,
    verdict: Check.Status
  ) -> Check {
    let status = pValue < Self.suspectBelow ? verdict : .pass
    let furthest = furthestGroup(users, result)
    return Check(
      offering: scheme.offering, name: name, subject: subject, status: status,
      observed: Double(users[furthest]), expected: result.expected[furthest], pValue: pValue,
      message: status == .fail
        ? failure(scheme, users, pValue: pValue, subject: subject)
        : "\(words(status))\(place(subject)): \(listing(scheme, users, result)); \(Phrase.pValue(pValue)).")
  }

  private func words(_ status: Check.Status) -> String {
    status == .pass
      ? "Users fell into the groups as weighted"
      : "Users seem not to have fallen into the groups as weighted, by a test that is meant for a single look; among "
        + "many nights one may look so by chance, and sample_ratio_sequential may be read every night"
  }

  /// `2,341 users in control and 2,019 in group_a, where 1:1 was planned; p < 0.0001. Look for …`
  private func failure(_ scheme: Scheme, _ users: [Int], pValue: Double, subject: String) -> String {
    let counts = scheme.groups.indices.map { index in
      "\(Phrase.count(users[index]))\(index == 0 ? " users" : "") in \(scheme.groups[index])"
    }
    return "\(Phrase.list(counts))\(place(subject)), where \(Self.ratio(scheme.weights)) was planned; "
      + "\(Phrase.pValue(pValue)). "
      + (SimilarNames.groups(scheme.groups).isEmpty
        ? "Look for lost assignments, bots or a broken variant before believing any figure."
        : "Some of them look like one group written in several ways: see similar_groups.")
  }

  /// Weights as a ratio of small whole numbers where they are one, `4:3:3`; else as shares.
  static func ratio(_ weights: [Double]) -> String {
    let smallest = weights.filter { $0 > 0 }.min() ?? 1
    for factor in 1...20 {
      let parts = weights.map { $0 / smallest * Double(factor) }
      if parts.allSatisfy({ abs($0 - $0.rounded()) < 1e-6 * max(1, $0) }) {
        return parts.map { Phrase.decimal($0.rounded(), decimals: 0) }.joined(separator: ":")
      }
    }
    let total = weights.reduce(0, +)
    return weights.map { Phrase.percent($0 / total) }.joined(separator: " : ")
  }

  private func tooFew(
    _ scheme: Scheme, _ users: [Int], _ result: SampleRatio, subject: String
  ) -> Check {
    Check(
      offering: scheme.offering, name: name, subject: subject, status: .warn,
      observed: result.expected.min(), expected: Self.minimumExpected,
      message: "Too few users to tell whether they fell into the groups as weighted\(place(subject)): "
        + "\(listing(scheme, users, result)). Every group needs 5 expected users.")
  }

  private func furthestGroup(_ users: [Int], _ result: SampleRatio) -> Int {
    func excess(_ index: Int) -> Double {
      let difference = Double(users[index]) - result.expected[index]
      return difference * difference / result.expected[index]
    }
    return users.indices.max { excess($0) < excess($1) } ?? 0
  }

  private func place(_ subject: String) -> String { subject.isEmpty ? "" : " (\(subject))" }

  private func listing(_ scheme: Scheme, _ users: [Int], _ result: SampleRatio) -> String {
    Phrase.list(
      scheme.groups.indices.map { index in
        let expected = Phrase.decimal(result.expected[index], decimals: 1)
        return "\(scheme.groups[index]) \(Phrase.count(users[index])) (expected \(expected))"
      })
  }
}
