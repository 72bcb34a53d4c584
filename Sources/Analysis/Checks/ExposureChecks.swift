import Domain
import Engine
import Jobs

/// `served_two_groups`, `never_shown`: what the logs tell of what users saw.
enum ExposureChecks {
  static func checks(of offerings: [OfferingMeasurement], job: Job) -> [Check] {
    let levels = WarnLevels(job: job)
    let isShownAnywhere = offerings.contains { $0.groups.contains { $0.shown.any > 0 } }
    return offerings.flatMap { offering in
      let measured = offering.groups.reduce(0) { $0 + $1.measuredUsers }
      guard measured > 0 else { return [Check]() }
      return [
        offering.loggedEvents > 0 ? servedTwoGroups(offering, of: measured, levels) : nil,
        isShownAnywhere ? neverShown(offering, of: measured, levels) : nil,
      ].compactMap(\.self)
    }
  }

  private static func servedTwoGroups(
    _ offering: OfferingMeasurement, of measured: Int, _ levels: WarnLevels
  ) -> Check {
    check(
      "served_two_groups", offering.servedTwoGroups, of: measured, in: offering, levels,
      fate: "have events of more than one of its groups: what they saw was not sticky")
  }

  private static func neverShown(_ offering: OfferingMeasurement, of measured: Int, _ levels: WarnLevels) -> Check {
    let shown = offering.groups.reduce(into: ShownUsers()) { $0.merge($1.shown) }
    var check = check(
      "never_shown", measured - shown.any, of: measured, in: offering, levels,
      fate: "were never shown a paywall nor served an offering; they count all the same")
    if shown.served > 0, shown.viewed > 0 {
      // Either counts as shown, and they tell very different shares.
      check.message +=
        " \(share(shown.served, of: measured)) were served the offering, and \(share(shown.viewed, of: measured)) are "
        + "known to have seen a paywall: to be served one is not to see it."
    }
    return check
  }

  private static func share(_ users: Int, of measured: Int) -> String {
    "\(Phrase.count(users)) (\(Phrase.percent(Double(users) / Double(measured))))"
  }

  private static func check(
    _ name: String, _ users: Int, of measured: Int, in offering: OfferingMeasurement, _ levels: WarnLevels, fate: String
  ) -> Check {
    let share = Double(users) / Double(measured)
    let level = levels.level(name)
    return Check(
      offering: offering.id, name: name, status: Check.status(ofShare: share, warnLevel: level), observed: share,
      expected: level.isFinite ? level : nil,
      message:
        "\(Phrase.count(users)) of \(Phrase.count(measured, "measured user")) (\(Phrase.percent(share))) \(fate).")
  }
}
