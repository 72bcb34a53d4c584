import Domain
import Engine

/// `no_offering`, `auth_invalid`, `server_error`: how the app's calls for an offering went, whoever called.
enum OfferingCallChecks {
  private static let fates: [(APIEventType, String)] = [
    (.noOffering, "came back without one: no test was active for the caller"),
    (.authInvalid, "were refused for their token; the app has to call again"),
    (.serverError, "failed on the server; the app showed what it shows without an offering"),
  ]

  /// One check an outcome; none where no log tells of such calls.
  static func checks(of calls: OfferingCalls, _ levels: WarnLevels) -> [Check] {
    guard calls.total > 0 else { return [] }
    return fates.map { outcome, fate in
      let share = Double(calls.count(outcome)) / Double(calls.total)
      let level = levels.level(outcome.rawValue)
      return Check(
        name: outcome.rawValue, status: Check.status(ofShare: share, warnLevel: level), observed: share,
        expected: level.isFinite ? level : nil,
        message:
          "\(Phrase.count(calls.count(outcome))) of \(Phrase.count(calls.total, "call")) for an offering "
          + "(\(Phrase.percent(share))) \(fate).")
    }
  }
}
