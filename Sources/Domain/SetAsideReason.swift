/// Why a row was not used.
package enum SetAsideReason: String, Sendable, CaseIterable, Comparable {
  case malformed
  case missingField = "missing_field"
  case spoiltID = "spoilt_id"
  case badTime = "bad_time"
  case ambiguousTime = "ambiguous_time"
  case badPrice = "bad_price"
  case missingPrice = "missing_price"
  case badCurrency = "bad_currency"
  case noExchangeRate = "no_exchange_rate"
  case unknownEventType = "unknown_event_type"
  case unverified
  case lineTooLong = "line_too_long"
  case invalidUTF8 = "invalid_utf8"
  case sandbox
  case familyShared = "family_shared"
  case afterCutoff = "after_cutoff"
  case unassigned
  case excludedUser = "excluded_user"
  case duplicate
  case otherOffering = "other_offering"
  case corruptFile = "corrupt_file"
  case notMeasured = "not_measured"

  /// A reject goes to `rejects.csv.gz` and counts towards `max_reject_ratio`; the rest is set aside by rule.
  package var isReject: Bool {
    switch self {
    case .malformed, .missingField, .spoiltID, .badTime, .ambiguousTime, .badPrice, .missingPrice, .badCurrency,
      .noExchangeRate, .unknownEventType, .unverified, .lineTooLong, .invalidUTF8:
      true
    case .sandbox, .familyShared, .afterCutoff, .unassigned, .excludedUser, .duplicate, .otherOffering,
      .corruptFile, .notMeasured:
      false
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
