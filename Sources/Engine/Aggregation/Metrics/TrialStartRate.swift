import Measurement

extension MetricDefinition {
  /// Users who began a free trial.
  static let trialStartRate = MetricDefinition(
    name: "trial_start_rate", meaning: "began a trial", kind: .proportion, isMovedByRefunds: { _ in false },
    wording: { _ in
      MetricWording("Users who began a trial", "wins", fewer: "users who begin a trial").seen(
        "{} of {users} began a trial")
    }
  ) { context in
    { user, window in
      .indicator(context.count(of: .trialStart, by: user, in: window) > 0)
    }
  }
}
