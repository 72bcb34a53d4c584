import Domain
import Measurement

extension Survival {
  /// A course, as it stood at the cut-off.
  init(_ course: AccessTimeline.Course, cutoff: Int64) {
    let (course, end) = (course.stretches, course.accessEnd)
    let start = course.first?.start ?? cutoff
    let isEnded = end <= cutoff
    let days = max(0, ((isEnded ? end : cutoff) - start) / Instant.millisecondsPerDay)
    let paid = zip(course, course.dropFirst()).prefix { stretch, next in
      // Where nothing tells when the next charge was due, it was when it came.
      (stretch.renewalDue == AccessTimeline.open ? next.start : stretch.renewalDue) <= cutoff
    }.count
    let lastDue = course.last.map { $0.renewalDue == AccessTimeline.open ? $0.accessEnd : $0.renewalDue }
    let isRenewalMissed = isEnded && paid + 1 == course.count && lastDue.map { $0 <= cutoff } ?? false
    self.init(days: days, isEnded: isEnded, renewals: Int64(paid), isRenewalMissed: isRenewalMissed)
  }

  /// As a quantity.
  var quantity: Quantity { Quantity(y: y, x: x) }
}
