extension MetricDefinition {
  /// Users who paid; with `kept: true`, users of whose money something stayed.
  static let payingConversion = MetricDefinition(
    name: "paying_conversion", kind: .proportion, options: [.kept]
  ) { context in
    { user, window in
      .indicator(
        context.charges(of: user, in: window).contains {
          $0.gross > 0 && (!context.request.kept || $0.net > 0)
        })
    }
  }
}
