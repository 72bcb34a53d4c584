import Jobs

/// From which share a check warns, unless the job says otherwise (`warn_levels: {duplicate: 0.2}`).
struct WarnLevels {
  private let overrides: [String: Double]

  init(job: Job) {
    overrides = job.warnLevels
  }

  /// The level of a check; a check without one never warns.
  func level(_ check: String) -> Double {
    overrides[check] ?? CheckNames.levels[check] ?? .infinity
  }
}
