import Domain
import Jobs

/// How the users of a story spend the credits that they start with and that their charges grant.
///
/// It stands beside a life's steps, and draws from a sequence of its own: a story whose users begin to spend stays
/// the same in everything else.
struct CreditSpending: Sendable {
  /// What every user has at the assignment.
  var starting: Int64
  /// The type of the event that spends one credit.
  var event: String
  /// Grants of which all is spent, and of which nothing is; of the rest any part, evenly.
  var all: Share
  var none: Share
  /// How long after a grant, in seconds, all that is spent of it is spent.
  var withinSeconds: Int64

  init?(_ section: YAMLSection?) {
    guard let section else { return nil }
    starting = Int64(section.count("starting", in: 0...1000) ?? 0)
    event = section.required("spent_by") ?? ""
    all = section.share("all")
    none = section.share("none")
    _ = section.required("within")
    withinSeconds = max(1, section.duration("within") / 1000)
    section.checkTotal((all + none).partsPerBillion)
    section.finish()
  }

  /// When a user spends one credit each, in order of time.
  ///
  /// Nobody spends what is not there: a wish beyond the balance is refused, and nothing is written down.
  /// - Parameter events: the user's charges and refunds among them, with what each charge grants.
  func times(of events: [StoryEvent], _ scenario: Scenario, from start: Instant, user: UInt32) -> [Instant] {
    var draws = SeededGenerator(seed: scenario.seed, stream: .spending, index: UInt64(user))
    let changes = [Change(time: start, credits: starting)] + Change.all(in: events, scenario, from: start)
    let wanted = changes.flatMap { wishes(for: $0, &draws) }.filter { $0 < scenario.until }.sorted()
    var balance: Int64 = 0
    var next = 0
    return wanted.filter { wish in
      while next < changes.count, changes[next].time <= wish {
        balance = max(0, balance + changes[next].credits)
        next += 1
      }
      guard balance > 0 else { return false }
      balance -= 1
      return true
    }
  }

  private func wishes(for change: Change, _ draws: inout SeededGenerator) -> [Instant] {
    guard change.credits > 0 else { return [] }
    let part = draws.part()
    let isAll = part < all.partsPerBillion
    let isNone = !isAll && part < (all + none).partsPerBillion
    let count = isAll ? change.credits : isNone ? 0 : draws.within(0...change.credits)
    return (0..<count).map { _ in
      Instant(milliseconds: change.time.milliseconds + draws.within(1...withinSeconds) * 1000)
    }
  }

  /// Credits that come, or go with the charge that granted them.
  private struct Change {
    var time: Instant
    var credits: Int64

    /// In order of time; a charge that was refunded, if only in part, grants none from the refund on.
    static func all(in events: [StoryEvent], _ scenario: Scenario, from start: Instant) -> [Change] {
      var granted: [Int: Int64] = [:]
      var changes: [Change] = []
      for event in events.sorted(by: StoryEvent.inLogOrder) where event.time >= start {
        if event.isCharge {
          granted[event.charge] = event.product.flatMap { Int64(scenario.products[$0].credits) }
          changes.append(Change(time: event.time, credits: granted[event.charge] ?? 0))
        } else if event.type == "refund", let credits = granted.removeValue(forKey: event.charge) {
          changes.append(Change(time: event.time, credits: -credits))
        }
      }
      return changes
    }
  }
}
