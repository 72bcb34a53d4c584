@testable import Engine
@testable import Measurement

/// A user's life read slowly, rule after rule: what `AccessTimeline` and `UserState` are held against.
///
/// Products are those of `Life`. No two steps come at one instant, and each charge has a transaction of its own.
struct PlainLife {
  struct Step {
    var time: Int64
    var type: String
    var product = ""
    /// `expiresDate`, where it is told.
    var end: Int64?
    /// In whole units; of charges.
    var price: Int128 = 0
    /// Of a charge its own number, of a full refund or a reversal that of its charge.
    var transaction = 0
  }

  /// Before T, in order of time.
  var steps: [Step]
  var cutoff: Int64
  var assigned: Int64

  private static let day: Int64 = 86_400_000
  private static let never = Int64.max

  static func period(_ product: String) -> Int64? {
    ["weekly": 7 * day, "yearly": 365 * day, "pass": 3 * day][product]
  }
  private static func grace(_ product: String) -> Int64 { product == "weekly" ? 6 * day : 16 * day }

  private var charges: [Step] { steps.filter { ["purchase", "renewal", "one_time_purchase"].contains($0.type) } }
  private var subscriptions: [Step] { charges.filter { $0.type != "one_time_purchase" } }
  private var latest: Step? { subscriptions.last }

  // MARK: - Charges

  /// When a charge was taken back in full for good; `never` where it was not.
  private func reversal(_ charge: Step) -> Int64 {
    var since = Self.never
    for step in steps where step.transaction == charge.transaction && charge.price > 0 && step.time > charge.time {
      if step.type == "refund" { since = min(since, step.time) }
      if step.type == "refund_reversal" { since = Self.never }
    }
    return since
  }

  /// What happens from a subscription charge to the next, and is not about another product.
  private func happenings(_ charge: Step) -> [Step] {
    let next = subscriptions.first { $0.time > charge.time }?.time ?? Self.never
    return steps.filter {
      $0.time > charge.time && $0.time < next && ($0.product == charge.product || $0.product.isEmpty)
    }
  }

  private func isOff(_ charge: Step) -> Bool {
    happenings(charge).last { $0.type == "cancel" || $0.type == "uncancel" }?.type == "cancel"
  }

  private func periodEnd(_ charge: Step) -> Int64 {
    let extended = happenings(charge).last { $0.type == "extend" }?.end
    return extended ?? charge.end ?? Self.period(charge.product).map { charge.time + $0 } ?? Self.never
  }

  private func renewalDue(_ charge: Step) -> Int64 {
    let end = periodEnd(charge)
    return end == Self.never ? end : end + Self.grace(charge.product)
  }

  private func accessEnd(_ charge: Step) -> Int64 {
    let own = happenings(charge)
    let extended = own.last { $0.type == "extend" }
    let retry = own.last { $0.type == "billing_retry" && $0.time > extended?.time ?? .min }
    var end = periodEnd(charge)
    if !isOff(charge) {
      if let retry {
        end = retry.end ?? renewalDue(charge)
      } else if charge.end == nil, extended == nil {
        end = renewalDue(charge)
      }
    }
    let expiry = own.first { $0.type == "expire" }?.time ?? Self.never
    return min(end, expiry, reversal(charge))
  }

  // MARK: - At T

  var isActive: Bool { latest.map { accessEnd($0) > cutoff } ?? false }
  var isSetToRenew: Bool { isActive && latest.map { !isOff($0) } ?? false }

  /// In micros.
  var monthlyRevenue: Int128 {
    guard isActive, let latest else { return 0 }
    // Lives tell no end further off than two weeks and a day.
    if let reported = latest.end.map({ $0 - latest.time }) {
      if (reported - 7 * Self.day).magnitude <= 3 * UInt64(Self.day) { return latest.price * 4_000_000 }
      if (reported - 14 * Self.day).magnitude <= 3 * UInt64(Self.day) { return latest.price * 2_000_000 }
    }
    switch latest.product {
    case "weekly": return latest.price * 4_000_000
    case "yearly": return Money.roundedHalfToEven(latest.price * 1_000_000, by: 12)
    default: return 0
    }
  }

  private var isInRetry: Bool {
    let own = latest.map(happenings) ?? steps
    guard let retry = own.last(where: { $0.type == "billing_retry" }) else { return false }
    let isAnswered = own.contains { ["billing_recovery", "expire"].contains($0.type) && $0.time > retry.time }
    return !isAnswered && cutoff < retry.time + 60 * Self.day
  }

  private var hasOneTimeAccess: Bool {
    charges.filter { $0.type == "one_time_purchase" && reversal($0) == Self.never }.contains { charge in
      let own = steps.filter { $0.product == charge.product && $0.time > charge.time }
      if own.contains(where: { $0.type == "expire" }) { return false }
      let usual = charge.end ?? Self.period(charge.product).map { charge.time + $0 } ?? Self.never
      return (own.last { $0.type == "extend" }?.end ?? usual) > cutoff
    }
  }

  private var isInTrial: Bool {
    steps.filter { $0.type == "trial_start" && $0.time > latest?.time ?? .min }.contains { trial in
      let own = steps.filter { ($0.product == trial.product || $0.product.isEmpty) && $0.time > trial.time }
      if own.contains(where: { $0.type == "expire" }) { return false }
      return (own.last { $0.type == "extend" }?.end ?? trial.end ?? Self.never) > cutoff
    }
  }

  var state: String {
    if let last = charges.last, reversal(last) != Self.never, !isActive, !hasOneTimeAccess { return "refunded" }
    if isInRetry || isActive && latest.map({ periodEnd($0) <= cutoff }) ?? false { return "billing_retry" }
    if isActive { return isSetToRenew ? "subscribed" : "set_to_expire" }
    if hasOneTimeAccess { return "one_time_access" }
    if isInTrial { return "in_trial" }
    if latest != nil { return "expired" }
    if steps.contains(where: { $0.type == "trial_start" }) { return "trial_expired" }
    return charges.isEmpty ? "never" : "one_time_expired"
  }

  // MARK: - Retention

  /// Nil for whoever is no new subscriber.
  var survival: Survival? {
    guard !subscriptions.contains(where: { $0.time < assigned }),
      let first = subscriptions.firstIndex(where: { $0.price > 0 })
    else { return nil }
    var course = [subscriptions[first]]
    for next in subscriptions[(first + 1)...] {
      if next.type == "purchase", next.time > accessEnd(course[course.count - 1]) { break }
      course.append(next)
    }
    let end = accessEnd(course[course.count - 1])
    let isEnded = end <= cutoff
    var paid = 0
    while paid + 1 < course.count {
      let due = renewalDue(course[paid])
      guard due == Self.never || due <= cutoff else { break }
      paid += 1
    }
    let isLast = paid + 1 == course.count
    let due = renewalDue(course[paid])
    let isMissed = isLast && isEnded && (due == Self.never || due <= cutoff)
    return Survival(
      days: ((isEnded ? end : cutoff) - course[0].time) / Self.day, isEnded: isEnded, renewals: Int64(paid),
      isRenewalMissed: isMissed)
  }
}
