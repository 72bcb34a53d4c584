/// Why a row was not used.
package enum SetAsideReason: String, Sendable, Codable, CaseIterable, Comparable {
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
  case skipped
  case sandbox
  case familyShared = "family_shared"
  case afterCutoff = "after_cutoff"
  case unassigned
  case excludedUser = "excluded_user"
  case duplicate
  case otherOffering = "other_offering"
  case corruptFile = "corrupt_file"
  case sameFile = "same_file"
  case notMeasured = "not_measured"

  /// A reject goes to `rejects.csv.gz` and counts towards `max_reject_ratio`; the rest is set aside by rule.
  package var isReject: Bool {
    switch self {
    case .malformed, .missingField, .spoiltID, .badTime, .ambiguousTime, .badPrice, .missingPrice, .badCurrency,
      .noExchangeRate, .unknownEventType, .unverified, .lineTooLong, .invalidUTF8:
      true
    case .skipped, .sandbox, .familyShared, .afterCutoff, .unassigned, .excludedUser, .duplicate, .otherOffering,
      .corruptFile, .sameFile, .notMeasured:
      false
    }
  }

  /// Why such a row does not count, in a few words.
  package var meaning: String {
    switch self {
    case .malformed: "the line is no record of the format"
    case .missingField: "a field that must be there is not"
    case .spoiltID: "a spreadsheet has made a number of an id"
    case .badTime: "the time cannot be read"
    case .ambiguousTime: "a clock change skipped or repeated the local time"
    case .badPrice: "the price is no plain decimal number"
    case .missingPrice: "a charge has no price"
    case .badCurrency: "the currency is not three letters"
    case .noExchangeRate: "no rate of the day or the seven days before"
    case .unknownEventType: "an event type that nothing names"
    case .unverified: "the signature does not stand"
    case .lineTooLong: "the line is longer than 1 MiB"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .skipped: "`skip_where:` leaves it out"
    case .sandbox: "not of the production environment"
    case .familyShared: "access shared in a family: no payment"
    case .afterCutoff: "at or after the cut-off"
    case .unassigned: "the user is in no offering of the job"
    case .excludedUser: "every offering of its user leaves the user out"
    case .duplicate: "told before"
    case .otherOffering: "of an offering that the job does not measure"
    case .corruptFile: "the file is damaged (`on_corrupt: skip`)"
    case .sameFile: "the file holds the bytes of another"
    case .notMeasured: "tells of what nothing measures"
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
