extension MetricDefinition {
  /// Of the subscribers, those whose subscription ended because a renewal failed and was not recovered.
  static let involuntaryChurn = MetricDefinition(name: "involuntary_churn", kind: .ratio) { context in
    { user, window in
      guard context.charges(of: user, in: window).contains(where: \.isAutoRenewable) else { return .zero }
      func times(_ type: EventType) -> [Int64] { context.events(of: type, by: user, in: window).map(\.time) }
      var retries = Latest(times(.billingRetry))
      var recoveries = Latest(times(.billingRecovery))
      let isLost = times(.expire).contains { end in
        guard let retry = retries.upTo(end) else { return false }
        return (recoveries.upTo(end) ?? .min) <= retry
      }
      return Quantity(y: isLost ? 1 : 0, x: 1)
    }
  }

  /// The latest of some times, as seen from later and later moments.
  private struct Latest {
    /// Ascending.
    private let times: [Int64]
    private var passed = 0

    init(_ times: [Int64]) {
      self.times = times
    }

    /// The latest one at or before `moment`, which is no earlier than at the last call.
    mutating func upTo(_ moment: Int64) -> Int64? {
      while passed < times.count, times[passed] <= moment { passed += 1 }
      return passed == 0 ? nil : times[passed - 1]
    }
  }
}
