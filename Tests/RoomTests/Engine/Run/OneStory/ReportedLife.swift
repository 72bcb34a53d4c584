import Foundation

@testable import Domain

/// A subscriber's life, from a seed, before any format has put it into words.
///
/// Prices and shares are such that every format tells them exactly.
struct ReportedLife {
  enum Kind {
    case trial, purchase, renewal, recovery, oneTime
    /// Of the charge of the step's transaction: thousandths of a percent of it; all where nil.
    case refund(Int64?)
    case reversal, cancel, uncancel, retry, expire, extend
  }

  struct Step {
    var kind: Kind
    /// Whole seconds, in milliseconds since 1970.
    var time: Int64
    var product: String
    var cents: Int64
    /// Of the charge or trial it makes or concerns.
    var transaction: Int
    var renewal: Int
    /// When the charge came that it is or concerns.
    var chargedAt: Int64
    /// When what it makes ends: a period, a trial, a grace, more time.
    var end: Int64?

    /// The charge's transaction as Google Play names its orders: renewals by their numbers behind the first one's name.
    var order: String { firstOrder + (renewal > 1 ? "..\(renewal - 2)" : "") }
    /// The order that the subscription began with.
    var firstOrder: String { "GPA.3300-0000-0000-00\(transaction - renewal + 1)" }
  }

  private(set) var steps: [Step] = []
  private var dice: Dice
  private var transactions = 0

  static let cutoff = "2026-07-01"
  static let products = [
    "week,auto_renewable,P1W,P3D,P3D,plus,3,15,0", "month,auto_renewable,P1M,,P3D,pro,50,15,20",
    "days,non_renewing,P3D,,,plus,10,30,0",
  ]

  private static let day = Instant.millisecondsPerDay
  private static let prices: [String: Int64] = ["week": 800, "month": 2000, "days": 400]

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    var time = milliseconds(2)
    for _ in 0..<1 + dice.below(2) { time = subscribe(at: time + Int64(dice.below(6)) * Self.day + 3_600_000) }
    if dice.chance(0.4) { charge(.oneTime, "days", at: time + 2 * Self.day, renewal: 1, end: nil) }
    steps.sort { $0.time < $1.time }
  }

  /// One subscription from its beginning to its end, or on and on; returns when it was last heard of.
  private mutating func subscribe(at start: Int64) -> Int64 {
    var product = dice.pick(["week", "month"])
    var renewal = 1
    var step = begin(product, at: start)
    for _ in 0..<2 + dice.below(4) {
      if case .trial = step.kind {} else { giveBack(step) }
      let end = step.end ?? step.time
      renewal += 1
      switch dice.below(10) {
      case 0:
        add(.cancel, step, at: step.time + Self.day)
        add(.expire, step, at: end)
        return end
      case 1:
        add(.cancel, step, at: step.time + Self.day)
        add(.uncancel, step, at: step.time + Self.day + 7_200_000)
        step = charge(.renewal, product, at: end, renewal: renewal, end: Self.end(of: product, from: end))
      case 2:
        let graceEnd = end + 3 * Self.day
        add(.retry, step, at: end, end: graceEnd)
        add(.expire, step, at: graceEnd)
        return graceEnd
      case 3:
        add(.retry, step, at: end, end: end + 3 * Self.day)
        let time = end + Self.day
        step = charge(.recovery, product, at: time, renewal: renewal, end: Self.end(of: product, from: time))
      case 4 where product == "week" && step.renewal > 1:
        (product, renewal) = ("month", 1)
        let time = step.time + 2 * Self.day
        step = charge(.purchase, product, at: time, renewal: 1, end: Self.end(of: product, from: time))
      default:
        step = charge(.renewal, product, at: end, renewal: renewal, end: Self.end(of: product, from: end))
      }
    }
    return step.end ?? step.time
  }

  private mutating func begin(_ product: String, at time: Int64) -> Step {
    guard product == "week", dice.chance(0.5) else {
      return charge(.purchase, product, at: time, renewal: 1, end: Self.end(of: product, from: time))
    }
    return charge(.trial, product, at: time, renewal: 1, end: time + 3 * Self.day)
  }

  private static func end(of product: String, from time: Int64) -> Int64 {
    Period(product == "week" ? "P1W" : "P1M")?.end(from: time) ?? time
  }

  @discardableResult
  private mutating func charge(_ kind: Kind, _ product: String, at time: Int64, renewal: Int, end: Int64?) -> Step {
    transactions += 1
    let step = Step(
      kind: kind, time: time, product: product, cents: Self.prices[product] ?? 0, transaction: 100 + transactions,
      renewal: renewal, chargedAt: time, end: end)
    steps.append(step)
    return step
  }

  private mutating func add(_ kind: Kind, _ charge: Step, at time: Int64, end: Int64? = nil) {
    var step = charge
    (step.kind, step.time, step.end) = (kind, time, end)
    steps.append(step)
  }

  /// Parts of a charge, all of it, or all and back again.
  private mutating func giveBack(_ charge: Step) {
    let hours: Int64 = 5_400_000
    switch dice.below(12) {
    case 0: add(.refund(25_000), charge, at: charge.time + hours)
    case 1:
      add(.refund(25_000), charge, at: charge.time + hours)
      add(.refund(50_000), charge, at: charge.time + 2 * hours)
    case 2:
      add(.refund(nil), charge, at: charge.time + hours)
      add(.reversal, charge, at: charge.time + 2 * hours)
    case 3:
      add(.refund(50_000), charge, at: charge.time + hours)
      add(.reversal, charge, at: charge.time + 2 * hours)
      add(.refund(25_000), charge, at: charge.time + 3 * hours)
    case 4: add(.refund(nil), charge, at: charge.time + hours)
    default: break
    }
  }
}
