import Domain

/// One row of the purchase log before it has become text; 24 bytes, as there may be twenty million of them.
package struct SimulatedEvent: Sendable {
  package var time: Instant
  package var user: UInt32
  /// Which of its user's events it is: with the user it makes the event id.
  var ordinal: UInt16
  /// Which of its user's charges it makes or concerns: with the user it makes the transaction id.
  var charge: UInt16
  package var kind: Kind
  /// Index into the scenario's products.
  package var product: UInt8
  /// Index into the scenario's groups, and beyond those into its old groups; nil where the log names none.
  package var group: UInt8?
  var dirt = EventDirt.none

  /// Marks the number of an event or a charge that a row of dirt has for its own.
  static let ownNumber: UInt16 = 1 << 11

  package enum Kind: UInt8, Sendable {
    case view
    case trialStart
    case purchase
    case renewal
    case oneTimePurchase
    case fullRefund
    case partialRefund
    case refundReversal
    case cancel
    case expire

    var isCharge: Bool {
      switch self {
      case .purchase, .renewal, .oneTimePurchase: true
      default: false
      }
    }

    /// The name in the log.
    var eventType: String {
      switch self {
      case .view: "paywall_view"
      case .trialStart: "trial_start"
      case .purchase: "purchase"
      case .renewal: "renewal"
      case .oneTimePurchase: "one_time_purchase"
      case .fullRefund, .partialRefund: "refund"
      case .refundReversal: "refund_reversal"
      case .cancel: "cancel"
      case .expire: "expire"
      }
    }
  }
}

/// One row of the assignment table before it has become text.
struct SimulatedAssignment: Sendable {
  var time: Instant
  var user: UInt32
  var group: UInt8
  var dirt = AssignmentDirt.none
}

/// A user, as drawn before anything happens.
package struct Person: Sendable {
  package var user: UInt32
  var assignedAt: Instant
  /// Index into the scenario's groups: whose rates the user follows.
  var behaviour: Int
  /// Has no row in the assignment table, and names no group in the log.
  var isOldClient: Bool
  /// Index into the scenario's old groups, where it has any and this is an old client.
  var oldGroup: Int?
  /// What is odd about the assignment.
  var assignmentDirt: AssignmentDirt

  /// The test's group that the log names.
  var loggedGroup: UInt8? { isOldClient ? nil : UInt8(behaviour) }
}
