extension MetricDefinition {
  /// Events of the type `numerator:` for each event of the type `denominator:`.
  static let countRatio = MetricDefinition(
    name: "count_ratio", kind: .ratio, options: [.numerator, .denominator]
  ) { context in
    let numerator = context.types.type(named: context.request.numerator ?? "")
    let denominator = context.types.type(named: context.request.denominator ?? "")
    return { user, window in
      Quantity(
        y: Int128(numerator.map { context.count(of: $0, by: user, in: window) } ?? 0),
        x: Int128(denominator.map { context.count(of: $0, by: user, in: window) } ?? 0))
    }
  }
}
