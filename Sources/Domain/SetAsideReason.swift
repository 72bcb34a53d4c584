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

  /// What to do about such rows, in a few words; nil where nothing is amiss with them.
  package var remedy: String? {
    switch self {
    case .malformed: "look at the line in `rejects.csv.gz`; where most lines are, the file is of another `format:`"
    case .missingField: "map it (`columns:`), fill it (`defaults:`), or leave such rows out (`skip_where:`)"
    case .spoiltID: "export ids as text"
    case .badTime: "say how the file writes times: `time_format:`, `time_unit:`"
    case .ambiguousTime: "export times with their offset, or in UTC"
    case .badPrice: "export plain numbers; say `decimal: \",\"` where a comma stands before the cents"
    case .missingPrice: "map the price (`columns:`), or say that such rows are no charges (`types:`)"
    case .badCurrency: "map it (`columns:`), or fill it (`defaults: {currency: USD}`)"
    case .noExchangeRate: "add the days to `exchange_rates:`"
    case .unknownEventType: "say what it means (`types:`), or carry it along (`event_types:`)"
    case .unverified: "ask who wrote the line; `root:` and `bundle_id:` must be your app's"
    case .lineTooLong: "write one row a line"
    case .invalidUTF8: "write the file in UTF-8: `iconv -f WINDOWS-1252 -t UTF-8`"
    case .unassigned: "where it is most rows, ids differ: the check `unassigned` shows how"
    case .otherOffering: "add it to `offerings:`"
    case .corruptFile: "have the file sent again"
    case .sameFile: "remove one of the two"
    case .skipped, .sandbox, .familyShared, .afterCutoff, .excludedUser, .duplicate, .notMeasured: nil
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
