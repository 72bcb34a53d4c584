/// A fault of one row of an output.
///
/// Nearly all are rows of their own beside an honest one, so that they change what is set aside and never what
/// is true.
enum StoryDirt: String, Sendable, CaseIterable {
  case none
  /// The same bytes again, maybe in another file.
  case copy
  /// Sent once more some minutes later: the same event id, another moment of sending.
  case retry
  /// A transaction restored: a new transaction id for the charge of an old web order line.
  case restore
  /// The state of a transaction before what an honest row says of it.
  case olderSnapshot = "older_snapshot"
  case sandbox
  case familyShared = "family_shared"
  case afterCutoff = "after_cutoff"
  /// A refund of a charge that nobody has seen.
  case orphanRefund = "orphan_refund"
  /// The honest row names another group than the assigned one.
  case groupMismatch = "group_mismatch"
  /// A type that says nothing about access or money.
  case notMeasured = "not_measured"
  case missingPrice = "missing_price"
  case malformed
  /// A line that ends half way.
  case truncated
  case invalidUTF8 = "invalid_utf8"
  case missingField = "missing_field"
  case badTime = "bad_time"
  /// A signature that does not hold: altered, absent, or of somebody else's authority.
  case forged

  var order: Int { StoryDirt.allCases.firstIndex(of: self) ?? 0 }

  /// The row has an id and a transaction of its own.
  var isOwnEvent: Bool {
    switch self {
    case .none, .copy, .retry, .restore, .olderSnapshot, .groupMismatch: false
    default: true
    }
  }

  /// Only a charge can have this fault.
  var needsCharge: Bool {
    switch self {
    case .restore, .olderSnapshot, .sandbox, .familyShared, .orphanRefund, .missingPrice: true
    default: false
    }
  }

  /// Why a reader sets the row aside whoever's it is; nil if that depends on the user.
  var reason: String? {
    switch self {
    case .none, .copy, .retry, .restore, .olderSnapshot, .orphanRefund, .groupMismatch: nil
    case .sandbox, .familyShared, .afterCutoff, .notMeasured, .missingPrice, .malformed, .missingField, .badTime:
      rawValue
    case .truncated: Self.malformed.rawValue
    case .invalidUTF8: rawValue
    case .forged: "unverified"
    }
  }
}
