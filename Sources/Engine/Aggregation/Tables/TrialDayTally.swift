import Domain
import Measurement

/// On which day of their trial a group's users first paid for a subscription.
///
/// A user's trial is the first one after the assignment; its first 24 hours are day 1.
struct TrialDayTally: Tally {
  /// Users by how many whole days before the cut-off their trial began.
  private var ages: [Int64: Int] = [:]
  /// Users by the day they paid on, where that day is over by the cut-off.
  private var paid: [Int64: Int] = [:]

  static let parts: [TallyPart<Self>] = [
    TallyPart("days", \.ages) { day, _ in day >= 0 }, TallyPart("days", \.paid) { day, _ in day > 0 },
  ]

  mutating func add(_ user: UserHistory, from start: Int64) {
    guard user.happened.mayHold(.trialStart),
      let trial = user.events.first(where: { $0.type == .trialStart && $0.time >= start })?.time
    else { return }
    ages[(user.cutoff - trial) / Instant.millisecondsPerDay, default: 0] += 1
    let charge = user.charges.first { $0.time > trial && $0.isAutoRenewable && $0.gross > 0 }
    guard let charge else { return }
    let day = (charge.time - trial) / Instant.millisecondsPerDay + 1
    if user.hasCome(trial + day * Instant.millisecondsPerDay) { paid[day, default: 0] += 1 }
  }

  /// The group's figures, by day.
  var days: TrialDays {
    func counts(_ users: [Int64: Int]) -> [TrialDays.Count] {
      users.sorted { $0.key < $1.key }.map { TrialDays.Count(day: $0.key, users: $0.value) }
    }
    return TrialDays(ages: counts(ages), paid: counts(paid))
  }
}
