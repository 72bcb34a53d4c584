import Foundation

/// One thing that is held against what is known of it.
struct Trial: Sendable {
  /// What it is about, in the order of the report.
  enum Part: String, Sendable, CaseIterable {
    case program, arithmetic, statistics, reference, packing, worlds

    /// In a few words.
    var meaning: String {
      switch self {
      case .program: "the program's own bytes"
      case .arithmetic: "log, exp, erf and their kind, as this machine computes them"
      case .statistics: "distributions, tests, intervals and plans"
      case .reference: "NIST's reference data sets"
      case .packing: "gzip, zstd and Parquet, there and back"
      case .worlds: "made-up tests with a known truth, a run in every purchase format"
      }
    }
  }

  let part: Part
  let name: String
  /// Where the expected values come from.
  let source: String
  /// All that the result depends on, as text.
  let input: String
  let findings: @Sendable () async throws -> [Finding]
}

/// A value that was found, and the one that is known.
struct Finding: Sendable {
  let name: String
  let found: String
  let expected: String
  let isSound: Bool

  /// Two texts that have to be the same.
  static func same(_ name: String, found: String, expected: String) -> Finding {
    Finding(name: name, found: found, expected: expected, isSound: found == expected)
  }

  /// Two numbers, or two absences, that agree to a relative or an absolute tolerance.
  static func number(
    _ name: String, _ found: Double?, _ expected: Double?, within tolerance: Double, absolute: Double = 0
  ) -> Finding {
    let isSound =
      if let found, let expected {
        found == expected || abs(found - expected) <= max(tolerance * abs(expected), absolute)
      } else { found == nil && expected == nil }
    return Finding(name: name, found: text(found), expected: text(expected), isSound: isSound)
  }

  private static func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "none" }
}
