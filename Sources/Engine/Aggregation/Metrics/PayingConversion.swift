import Jobs
import Measurement

extension MetricDefinition {
  /// `kept: true` asks that some of the money stayed.
  private static let retained = MetricOption.flag("kept", "`true`: of the money something was not refunded")

  /// Users who paid; with `kept: true`, users of whose money something stayed.
  static let payingConversion = MetricDefinition(
    name: "paying_conversion", meaning: "paid more than 0", kind: .proportion, needsCharge: true,
    isMovedByRefunds: { $0[retained] }, options: [retained],
    wording: { request in
      request[retained]
        ? MetricWording("Paying users who kept it", "wins", fewer: "paying users who keep it").seen(
          "{} of {users} paid and kept it")
        : MetricWording("Paying users", "wins", fewer: "paying users").seen("{} of {users} paid")
    }
  ) { context in
    let isRetained = context.request[retained]
    return { user, window in
      .indicator(
        context.charges(of: user, in: window).contains {
          $0.gross > 0 && (!isRetained || $0.net > 0)
        })
    }
  }
}
