extension Decision {
  /// When a comparison comes to it, in a few words.
  package var meaning: String {
    switch self {
    case .doNotTrust: "a check failed: the figures may be wrong"
    case .tooEarly:
      "a group has fewer than 100 users whose window has ended; of a share, fewer than 5 conversions (or "
        + "non-conversions) are expected in one; of a mean or ratio, a group has fewer than 30 effective events (more "
        + "where many differences are decided together), spreads less than chance allows beside the other, or has a "
        + "denominator below 100; of a curve, fewer than 10 ends are expected in a group; or there is no value yet"
    case .better: "the adjusted p-value lies below 1 − `confidence`, and by the metric's goal the group is ahead"
    case .worse: "the adjusted p-value lies below 1 − `confidence`, and by the metric's goal the group is behind"
    case .equivalent: "no difference is shown, and the interval that decides lies within the metric's `margin`"
    case .notWorse: "of a guardrail: shown not to be worse by its `margin`"
    case .maybeWorse: "of a guardrail: not shown to be so"
    case .inconclusive: "nothing is shown yet"
    }
  }
}
