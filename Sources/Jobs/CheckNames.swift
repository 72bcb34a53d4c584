import Domain

/// The names of the checks, as a job's `warn_levels:` and `questions:` know them.
package enum CheckNames {
  /// Checks that judge a share, by name, with the share from which they warn unless the job says otherwise. An
  /// infinite one never warns by itself; of `user_ids`, `time_range` and `last_night` it is the share from which they
  /// fail.
  ///
  /// A few per cent of duplicates, sandbox or family rows are everyday life in store logs; shares beyond these
  /// levels usually mean that a file was delivered twice, or that the wrong file was.
  package static let levels: [String: Double] = [
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
    "no_offering": .infinity,
    "auth_invalid": 0.05,
    "server_error": 0.01,
    "served_two_groups": 0.01,
    "display_price": 0.01,
    "never_shown": .infinity,
    "user_ids": 0.95,
    "time_range": 0.01,
    "last_night": 0.1,
  ]

  /// Checks that are no matter of a share.
  package static let others: Set<String> = [
    "accounting", "baseline", "before_assignment", "catalog_conflict", "catalog_default", "corrupt_file", "cuped",
    "empty_input", "enrolment", "freshness", "identity_conflict", "identity_cycle", "not_computable", "not_measured",
    "pre_period_balance", "price_sanity", "sample_ratio", "sample_ratio_sequential", "small_counts", "unknown_column",
    "unknown_period", "unknown_product", "unknown_value",
  ]

  /// Every name, in order.
  package static let all = others.union(levels.keys).sorted()

  /// What to say of a name that is none of `names`.
  package static func problem(_ name: String, among names: [String]) -> String {
    let nearest = nearestName(to: name, among: names).map { "did you mean \"\($0)\"?" }
    return "there is no check \"\(name)\"; \(nearest ?? "known are \(names.joined(separator: ", ")).")"
  }
}
