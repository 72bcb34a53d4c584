/// From which share a check warns, unless the job says otherwise (`warn_levels: {duplicate: 0.2}`).
struct WarnLevels {
  private let overrides: [String: Double]

  /// The defaults, by check name.
  ///
  /// A few per cent of duplicates, sandbox or family rows are everyday life in store logs; shares beyond these
  /// levels usually mean that a file was delivered twice, or that the wrong file was.
  static let defaults: [String: Double] = [
    "multiple_groups": 0.01,
    "group_mismatch": 0.01,
    "unassigned": 0.5,
    "orphan_refund": 0.01,
    "duplicate": 0.05,
    "sandbox": 0.05,
    "family_shared": 0.1,
    "rejects": 0.005,
    "maturity": 0.5,
    "concentration": 0.05,
    "auth_invalid": 0.05,
    "server_error": 0.01,
    "served_two_groups": 0.01,
  ]

  init(job: Job) {
    overrides = job.warnLevels
  }

  /// The level of a check; a check without one never warns.
  func level(_ check: String) -> Double {
    overrides[check] ?? Self.defaults[check] ?? .infinity
  }
}
