import Domain
import Jobs
import Measurement

/// `day_only`: how many charges came on the day of their user's assignment, one of the two without its time?
///
/// They count: a day is the last millisecond of a purchase log and the first of assignments. But who bought first and was
/// assigned later that day counts, too.
struct DayOnlyCheck: HealthCheck {
  let terms = CheckTerms(
    "day_only",
    "charges on the day of their user's assignment, one of the two told without its time, so that nobody can tell which "
      + "came first; of all charges of measured users", warnsFrom: 0.01)

  /// A row an offering; none where the order of all charges is told.
  func checks(of inputs: CheckedInputs) -> [Check] {
    inputs.measurement.offerings.compactMap { offering in
      let purchases = offering.groups.reduce(into: PurchaseTimes()) { $0.merge($1.purchases) }
      let (unknown, total) = (purchases.ofUnknownOrder, purchases.before + purchases.after)
      guard unknown > 0 else { return nil }
      let share = Double(unknown) / Double(total)
      return row(
        offering: offering.id, count: unknown, of: total, job: inputs.job,
        message:
          "\(Phrase.count(unknown)) of \(Phrase.count(total, "charge")) of measured users (\(Phrase.percent(share))) "
          + "came on the day of the user's assignment, and one of the two is told by its day alone, so that nobody can "
          + "tell which came first. They count; have both inputs tell the time of day to know.")
    }
  }
}
