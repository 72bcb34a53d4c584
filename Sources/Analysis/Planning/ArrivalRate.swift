import Domain
import Engine
import Jobs

/// How users come: counted so far, and until enrolment ends.
struct ArrivalRate {
  /// Days from the first measured user to the cut-off, or to the end of enrolment if that was before.
  var days: Double?
  /// Measured users of all groups a day; 0 where nobody has joined for a week, and no enrolment was to end then.
  var usersPerDay: Double?
  /// Users who will still join; nil if enrolment has no end.
  var usersToJoin: Double?

  init(_ offering: OfferingMeasurement, cutoff: Instant, enrolment: Job.Enrolment?) {
    guard let first = offering.measuredFrom else { return }
    let end = enrolment?.to
    let last = min(cutoff, end ?? cutoff)
    let length = Double(last.milliseconds - first.milliseconds) / Double(Instant.millisecondsPerDay)
    guard length > 0 else { return }
    let users = offering.groups.reduce(0) { $0 + $1.measuredUsers }
    days = length
    let isOver = end == nil && Joining(offering, cutoff: cutoff).isOver
    usersPerDay = isOver ? 0 : Double(users) / length
    usersToJoin = end.map {
      Double(max(0, $0.milliseconds - cutoff.milliseconds)) / Double(Instant.millisecondsPerDay)
        * Double(users) / length
    }
  }
}
