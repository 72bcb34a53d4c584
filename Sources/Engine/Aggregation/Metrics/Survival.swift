import Domain
import Measurement

extension Survival {
  /// A course, as it stood at the cut-off.
  init(_ course: AccessTimeline.Course, of user: UserHistory) {
    let (course, end) = (course.intervals, course.accessEnd)
    let isEnded = user.hasCome(end)
    let last = isEnded ? end : user.cutoff
    let days = max(0, (last - (course.first?.start ?? last)) / Instant.millisecondsPerDay)
    let paid = zip(course, course.dropFirst()).prefix { interval, next in
      // Where nothing tells when the next charge was due, it was when it came.
      user.hasCome(interval.renewalDue == AccessTimeline.open ? next.start : interval.renewalDue)
    }.count
    let lastDue = course.last.map { $0.renewalDue == AccessTimeline.open ? $0.accessEnd : $0.renewalDue }
    let isRenewalMissed = isEnded && paid + 1 == course.count && lastDue.map { user.hasCome($0) } ?? false
    self.init(days: days, isEnded: isEnded, renewals: Int64(paid), isRenewalMissed: isRenewalMissed)
  }

  /// As a quantity.
  var quantity: Quantity { Quantity(y: y, x: x) }
}
