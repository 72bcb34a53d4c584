extension MetricDefinition {
  /// How long subscribers stay: from the first paid subscription charge to the end of paid access.
  static let retention = MetricDefinition(
    name: "retention", kind: .mean, isSurvival: true, takesWindow: false, looksBeyondWindow: true, options: [.day]
  ) { context in
    { user, window in
      let charges = user.history.charges
      let first = charges.firstIndex { charge in
        charge.gross > 0 && charge.isAutoRenewable && window.contains(charge.time)
          && context.products.contains(charge.product, charge.kind)
      }
      guard let first else { return .zero }
      let end = user.history.access.end(fromCharge: first)
      let isOver = end <= user.cutoff
      let length = (isOver ? end : user.cutoff) - charges[first].time
      return Survival.quantity(days: max(0, length / Instant.millisecondsPerDay), isEnded: isOver)
    }
  }
}

/// How a duration is told as a quantity, so that it is counted and merged like any other.
enum Survival {
  private static let ended: Int128 = 1
  private static let censored: Int128 = 2

  /// y is the days, x how they ended; nobody without a start has an x.
  static func quantity(days: Int64, isEnded: Bool) -> Quantity {
    Quantity(y: Int128(days), x: isEnded ? ended : censored)
  }

  /// Whether users with this value ended, or were last seen at T; nil for those without a start.
  static func isEnded(_ value: ValueCount) -> Bool? {
    switch value.x {
    case ended: true
    case censored: false
    default: nil
    }
  }
}
