extension MetricDefinition {
  /// Events of the types `numerator:` for each event of the types `denominator:`.
  static let countRatio = MetricDefinition(
    name: "count_ratio", kind: .ratio, options: [.numerator, .denominator]
  ) { context in
    let numerator = context.request.numerator.compactMap { context.types.type(named: $0) }
    let denominator = context.request.denominator.compactMap { context.types.type(named: $0) }
    return { user, window in
      Quantity(
        y: numerator.reduce(0) { $0 + Int128(context.count(of: $1, by: user, in: window)) },
        x: denominator.reduce(0) { $0 + Int128(context.count(of: $1, by: user, in: window)) })
    }
  }
}
