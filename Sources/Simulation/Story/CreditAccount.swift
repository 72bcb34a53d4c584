import Domain

/// What a user of a story has left at any moment, as the app's server keeps it.
///
/// Credits are added to what is left at each charge, each event of the spending type takes one, and a charge that was
/// taken back, if only in part, counts as if it had granted none.
struct CreditAccount {
  private let starting: Int64
  private let grants: [Grant]
  private let spent: [Instant]

  private struct Grant {
    var time: Instant
    var credits: Int64
    /// Refunds of the charge and their reversals, in order of time.
    var changes: [(time: Instant, isRefund: Bool)]

    /// The charge is not taken back at that moment.
    func isGranted(at time: Instant) -> Bool { changes.last { $0.time <= time }?.isRefund != true }
  }

  init(of events: [StoryEvent], _ scenario: Scenario, _ spending: CreditSpending, from start: Instant) {
    starting = spending.starting
    spent = events.filter { $0.type == spending.event }.map(\.time)
    grants = events.filter { $0.isCharge && $0.time >= start }.map { charge in
      Grant(
        time: charge.time, credits: charge.product.flatMap { Int64(scenario.products[$0].credits) } ?? 0,
        changes: events.filter { $0.isRefund && $0.charge == charge.charge }.sorted(by: StoryEvent.inLogOrder)
          .map { ($0.time, $0.type == "refund") })
    }
  }

  func left(at time: Instant) -> Int64 {
    let granted = grants.filter { $0.time <= time && $0.isGranted(at: time) }.reduce(0) { $0 + $1.credits }
    return max(0, starting + granted - Int64(spent.count { $0 <= time }))
  }
}
