import Domain
import Measurement

/// A row of an input that names one user, or follows one of that user's charges, as an ordinary reading came upon it.
struct CapturedRow: Sendable {
  let source: Source
  /// The file's name, as messages have it.
  let file: String
  /// Where it stands in the file.
  let position: RowPosition
  /// Its first bytes.
  let excerpt: [UInt8]
  /// Of a purchase log: its events. A row that holds none may name the user all the same.
  var events: [CapturedEvent] = []
  /// What takes back older rows of its transaction, and is no event.
  var voids: [RoutedEvent] = []
  /// In which groups it says that the user is.
  var enrolments: [CapturedEnrolment] = []
  /// What a table's row says, field by field.
  var fields: [String?] = []
  /// What an assignment table's row says.
  var assignment: CapturedAssignment?
  /// Why it does not count, where reading says so already.
  var refusal: RowRefusal?
  /// It names the user.
  var isNamed = true
  /// The file is damaged, and the job leaves such files out.
  var isOfDamagedFile = false

  enum Source: Sendable, Equatable {
    /// Of an assignment input, by its number in the job.
    case assignments(Int)
    case identities
    /// Of a file of the purchase logs, by its number.
    case purchases(Int)
  }

  /// Takes why it does not count: of a page's rows those that are rejected come first.
  mutating func refuse(_ refusal: RowRefusal) {
    func rank(_ refusal: RowRefusal) -> (Int, SetAsideReason, String) {
      (refusal.reason.isReject ? 0 : 1, refusal.reason, refusal.detail)
    }
    if let known = self.refusal, rank(known) <= rank(refusal) { return }
    self.refusal = refusal
  }
}

/// An event of a captured row, with what its row tells beside it.
struct CapturedEvent: Sendable {
  /// As `explain` shows them.
  var shown: [UserTrace.Event]
  /// As the run takes them; none where the signature does not hold.
  var routed: [RoutedEvent]
}

/// An event as the run takes it, when its batch is gone.
struct RoutedEvent: @unchecked Sendable {
  /// Without the text of its user.
  private var event: PurchaseEvent
  private let user: [UInt8]
  /// The reject it would become.
  let reject: Reject

  init(_ event: PurchaseEvent, _ reject: Reject) {
    user = Array(event.user)
    self.event = event
    self.event.user = .empty
    self.reject = reject
  }

  /// Calls `body` with the event.
  func withEvent<Result>(_ body: (PurchaseEvent) -> Result) -> Result {
    user.withText { user in
      var event = event
      event.user = user
      return body(event)
    }
  }

  /// Both are the same row's event.
  func isSame(as other: RoutedEvent) -> Bool {
    (event.time, event.type, event.transaction) == (other.event.time, other.event.type, other.event.transaction)
      && user == other.user
  }
}

/// That a user is in a group, when the batch is gone that says so.
struct CapturedEnrolment: @unchecked Sendable {
  private var enrolment: DecodedLine.Enrolment
  private let user: [UInt8]

  init(_ enrolment: DecodedLine.Enrolment) {
    user = Array(enrolment.user)
    self.enrolment = enrolment
    self.enrolment.user = .empty
  }

  func withEnrolment(_ body: (DecodedLine.Enrolment) -> Void) {
    user.withText { user in
      var enrolment = enrolment
      enrolment.user = user
      body(enrolment)
    }
  }
}
