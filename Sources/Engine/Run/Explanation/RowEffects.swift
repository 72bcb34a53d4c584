import Domain
import Measurement

/// What each row of a user does: what would be otherwise without it.
struct RowEffects {
  let reading: UserReading
  let plan: MeasurementPlan
  let replay: UserReplay
  let memberships: [Membership]

  /// Adds to every row that counts the charge or refund it is and what it moves, and to every copy what it repeats.
  ///
  /// - Parameter sums: what a run makes of all rows.
  func add(_ sums: PartitionSums, to trace: inout UserTrace) {
    let tally = sums.tally
    let used = reading.events.filter { tally.outcomes[$0.row].used > 0 }
    let charges = replay.charges(of: reading.events)
    let rowsOfCharges = replay.rowsOfCharges(used)
    if rowsOfCharges.count == charges.count {
      for (number, charge) in charges.enumerated() {
        trace.rows[rowsOfCharges[number]].charge = UserTrace.Charge(
          number: number + 1, gross: charge.gross, refunded: charge.refunded, proceeds: charge.proceeds)
      }
    }
    guard reading.events.count <= UserTrace.mostEffects else {
      let times = reading.events.map { $0.time }.sorted()
      trace.effectsEnd = Instant(milliseconds: times[UserTrace.mostEffects])
      return
    }
    // A copy would take the place of what it repeats.
    let counted = replay.sums(of: used)
    for unit in Set(reading.events.map(\.row)) {
      if tally.outcomes[unit].used > 0 {
        let without = replay.sums(of: used.filter { $0.row != unit })
        trace.rows[unit].effects = effects(counted, without, trace.memberships)
        guard reading.events.contains(where: { $0.row == unit && $0.type.isRefund && !$0.isCompanion })
        else { continue }
        if counted.tally.orphanRefunds > without.tally.orphanRefunds {
          trace.rows[unit].outcome = .orphan
        } else {
          trace.rows[unit].refund = refund(unit, used, rowsOfCharges)
        }
      } else if case .duplicate = trace.rows[unit].outcome {
        trace.rows[unit].outcome = .duplicate(of: replay.twin(of: unit, reading.events, used: used))
      }
    }
  }

  /// What a refund changed when it came, before later ones; of one that came before its charge, at the cut-off.
  private func refund(_ unit: Int, _ used: [PurchaseEvent], _ rows: [Int]) -> UserTrace.Refund? {
    let time = used.first { $0.row == unit }?.time ?? .max
    let byThen = used.filter { $0.time <= time }
    return [byThen, used].lazy.compactMap { events in
      let charges = replay.charges(of: events)
      let rest = replay.charges(of: events.filter { $0.row != unit })
      guard charges.count == rest.count, charges.count <= rows.count else { return nil }
      let charge = charges.indices.first { charges[$0].refunded != rest[$0].refunded }
      return charge.map { UserTrace.Refund(charge: rows[$0], micros: charges[$0].refunded - rest[$0].refunded) }
    }
    .first
  }

  private func effects(
    _ sums: PartitionSums, _ without: PartitionSums, _ traced: [UserTrace.Membership]
  ) -> [UserTrace.Effect] {
    memberships.indices.flatMap { number -> [UserTrace.Effect] in
      guard traced[number].isMeasured, let group = sums.groups[GroupKey(memberships[number])] else { return [] }
      guard let other = without.groups[GroupKey(memberships[number])], other.measuredUsers > 0 else {
        return [UserTrace.Effect(membership: number, metric: nil)]
      }
      return plan.metrics.indices.compactMap { metric in
        let (now, then) = (group.all.metrics[metric].onlyQuantity, other.all.metrics[metric].onlyQuantity)
        guard let now, now != then else { return nil }
        return UserTrace.Effect(
          membership: number, metric: metric, y: now.y - (then?.y ?? 0), x: now.x - (then?.x ?? 0))
      }
    }
  }
}
