import Domain

/// What every event says, whatever its kind.
struct EventHead: BitwiseCopyable {
  /// When it happened, in milliseconds since 1970.
  var time: Int64
  /// What its copies share with it; 0 where it has no copies. Compared within one user's events only, so 64 bits do.
  var key: UInt64
  /// Stands for the transaction it belongs to; 0 where it names none.
  var transaction: UInt64
  /// The user's number in its partition.
  var user: UInt32
  /// Index among the log's files.
  var file: UInt32
  /// Number of the product; `Interner.none` where it names none.
  var product: UInt32
  /// Stands for the subscription that it belongs to; 0 where it names none.
  var chain: UInt32
  /// Stands for the store's group of subscriptions; 0 where it names none.
  var subscriptionGroup: UInt32
  /// Numbers of the offering and the group it was logged with; `noName` where it was logged with none.
  var loggedOffering: UInt16
  var loggedGroup: UInt16
  var type: EventType
  /// Its row tells something else first, and that event stands for the row.
  var isCompanion: Bool

  /// The number that stands for no logged offering or group.
  static let noName = UInt16.max

  /// The head of an event whose user is yet to be found.
  init(_ event: PurchaseEvent, file: UInt32) {
    time = event.time
    key = event.key?.low ?? 0
    transaction = event.transaction ?? 0
    user = 0
    self.file = file
    product = event.product
    chain = event.chain
    subscriptionGroup = event.subscriptionGroup
    loggedOffering = Self.number(ofLogged: event.loggedOffering)
    loggedGroup = Self.number(ofLogged: event.loggedGroup)
    type = event.type
    isCompanion = event.isCompanion
  }

  /// The number that is kept of a logged offering or group.
  ///
  /// More than 65,535 names of groups do not happen in a test; those beyond count as not logged.
  @inline(__always)
  static func number(ofLogged name: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: min(name, UInt32(noName))) }

  var hasKey: Bool { key != 0 }

  /// It says what another event of the same user says, in whichever file and at whatever time.
  func repeats(_ other: EventHead) -> Bool {
    key == other.key && transaction == other.transaction && product == other.product && chain == other.chain
      && subscriptionGroup == other.subscriptionGroup
      && loggedOffering == other.loggedOffering && loggedGroup == other.loggedGroup && type == other.type
      && isCompanion == other.isCompanion
  }

  /// How many rows it stands for: a companion's row is that of the event it comes with.
  var rows: Int { isCompanion ? 0 : 1 }
  var hasTransaction: Bool { transaction != 0 }
  /// It says which subscription or group of subscriptions it belongs to.
  var isOfSubscription: Bool { chain | subscriptionGroup != 0 }
}

/// An event of one kind; what all kinds share is its head.
protocol EventRecord: BitwiseCopyable {
  var head: EventHead { get set }
}

extension EventRecord {
  var time: Int64 { head.time }
  var type: EventType { head.type }

  /// The same, of the user with that number in its partition.
  @inline(__always)
  func of(_ user: UInt32) -> Self {
    var record = self
    record.head.user = user
    return record
  }
}

/// A time that may not be told, in eight bytes: milliseconds since 1970.
struct OptionalTime: BitwiseCopyable, Hashable {
  /// `Int64.min` where nothing is told; no event is that old.
  private let milliseconds: Int64

  static let none = OptionalTime(nil)

  init(_ milliseconds: Int64?) {
    self.milliseconds = milliseconds ?? .min
  }

  var value: Int64? { milliseconds == .min ? nil : milliseconds }

  /// For ties: a time that is not told is taken for 1970.
  var rank: Int64 { value ?? 0 }
}
