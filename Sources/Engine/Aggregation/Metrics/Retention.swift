extension MetricDefinition {
  /// How long new subscribers stay: from the first paid subscription charge to the end of paid access. Whoever had a
  /// subscription charge before the assignment is no new subscriber.
  package static let retention = MetricDefinition(
    name: "retention", kind: .mean, isSurvival: true, takesWindow: false, looksBeyondWindow: true,
    options: [.day, .renewals]
  ) { context in
    { user, window in
      let charges = user.history.charges
      guard let any = charges.first(where: \.isAutoRenewable), any.time >= window.lowerBound else { return .zero }
      let first = charges.firstIndex { charge in
        charge.gross > 0 && charge.isAutoRenewable && window.contains(charge.time)
          && context.products.contains(charge.product, charge.kind)
      }
      guard let first else { return .zero }
      return Survival(user.history.access.course(fromCharge: first), cutoff: user.cutoff).quantity
    }
  }
}
