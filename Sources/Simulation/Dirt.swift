import Domain

/// What is wrong with the logs, by kind: shares of the rows, and the shards whose files are odd as a whole.
struct Dirt: Sendable {
  var events = ShareTable<EventDirt>()
  var assignments = ShareTable<AssignmentDirt>()
  /// Empty lines, as a share of the lines.
  var blankLines = Share.zero
  /// Number of the shard, from 1, whose lines end in CR LF; also the assignment table's.
  var crlfShard: Int?
  /// … that begins with a byte-order mark.
  var bomShard: Int?
  /// … whose last line has no end.
  var openEndShard: Int?
  /// … that is packed as many gzip members, one after the other.
  var multiMemberShard: Int?
}

/// A fault of one row of the purchase log.
///
/// All but `groupMismatch` are rows of their own beside an honest one, so that they change what is set aside
/// and never what is true.
enum EventDirt: String, Sendable, CaseIterable {
  case none
  /// The same bytes again, maybe in another file.
  case duplicate
  /// The same charge or event again, up to an hour later.
  case duplicateLater = "duplicate_later"
  /// The event names another group than the assigned one.
  case groupMismatch = "group_mismatch"
  case sandbox
  case familyShared = "family_shared"
  case afterCutoff = "after_cutoff"
  /// A refund of a charge that nobody has seen.
  case orphanRefund = "orphan_refund"
  case malformed
  /// A line that ends half way.
  case truncated
  case invalidUTF8 = "invalid_utf8"
  case missingField = "missing_field"
  case badTime = "bad_time"
  case badPrice = "bad_price"
  case missingPrice = "missing_price"
  case badCurrency = "bad_currency"
  case unknownEventType = "unknown_event_type"

  /// Only a charge can have this fault.
  var needsCharge: Bool {
    switch self {
    case .sandbox, .familyShared, .orphanRefund, .badPrice, .missingPrice, .badCurrency: true
    default: false
    }
  }

  /// The row is no copy of its honest neighbour but has an id and a transaction of its own.
  var isOwnEvent: Bool {
    switch self {
    case .none, .duplicate, .duplicateLater, .groupMismatch: false
    default: true
    }
  }

  /// Why a reader sets the row aside whoever's it is; nil if that depends on the user.
  var reason: SetAsideReason? {
    switch self {
    case .none, .duplicate, .duplicateLater, .groupMismatch, .orphanRefund: nil
    case .sandbox: .sandbox
    case .familyShared: .familyShared
    case .afterCutoff: .afterCutoff
    case .malformed, .truncated: .malformed
    case .invalidUTF8: .invalidUTF8
    case .missingField: .missingField
    case .badTime: .badTime
    case .badPrice: .badPrice
    case .missingPrice: .missingPrice
    case .badCurrency: .badCurrency
    case .unknownEventType: .unknownEventType
    }
  }
}

/// A fault of one row of the assignment table; again a row of its own beside an honest one.
enum AssignmentDirt: String, Sendable, CaseIterable {
  case none
  /// A second, later row that names another group: the user is left out.
  case twoGroups = "two_groups"
  /// A second, later row that names the same group.
  case repeated = "repeated_assignment"
  /// A second row whose time lies after the log's end.
  case late = "late_assignment"
  case missingGroup = "missing_group"
  case badTime = "bad_assignment_time"
}
