import Domain
import Jobs

/// What one user did before the cut-off, each thing once: charges with what is left of them, and everything else.
///
/// One history is used for user after user, so that its memory is taken once. What it tells is good until the next user's
/// turn.
package final class UserHistory {
  let facts: ProductFacts
  /// The cut-off, in milliseconds since 1970: everything here happened before it.
  package private(set) var cutoff: Int64
  private var retainedCharges = RecordBuffer<Charge>()
  private var retainedAttributeValues = RecordBuffer<UInt32>()
  private var retainedEvents = RecordBuffer<Event>()
  private var retainedLoggedGroups = RecordBuffer<LoggedGroup>()
  private var retainedRefundSteps = RecordBuffer<RefundStep>()
  private var retainedTrialChanges = RecordBuffer<Event>()
  /// The types of `events`.
  private(set) var happened = HappenedTypes()
  /// Some of `events` carry a code.
  private(set) var hasCodes = false
  /// Some charge or trial belongs to another of the store's groups of subscriptions than the others.
  private(set) var hasSeveralSubscriptionGroups = false
  private var hasSubscriptionGroups = false
  /// A failed renewal was settled by what came after it, so that an earlier cut-off saw other events.
  var hasBillingIssues = false
  /// Events that repeat a kept one word for word, at its time or later: whatever the cut-off, they change nothing.
  var copies = 0

  /// By time.
  package var charges: RecordSpan<Charge> { retainedCharges.span }
  /// What is told of the charges' attributes: for each charge in turn the numbers of as many values as there are
  /// attributes.
  var attributeValues: RecordSpan<UInt32> { retainedAttributeValues.span }
  /// All other events, refunds among them, by time.
  package var events: RecordSpan<Event> { retainedEvents.span }
  /// What the kept events were logged with.
  var loggedGroups: RecordSpan<LoggedGroup> { retainedLoggedGroups.span }
  /// What refunds and reversals made of the charges, by time.
  var refundSteps: RecordSpan<RefundStep> { retainedRefundSteps.span }

  /// What followed a trial in its own subscription and is free like it, a change of its plan say: no trial of its own. By
  /// time.
  var trialChanges: RecordSpan<Event> { retainedTrialChanges.span }

  /// Numbers of an offering (or `Interner.none`) and a group.
  struct LoggedGroup: BitwiseCopyable {
    var offering: UInt32
    var group: UInt32
  }

  /// From `time` on, `refunded` of the charge is taken back.
  struct RefundStep: BitwiseCopyable {
    var time: Int64
    /// Index into `charges`.
    var charge: Int
    var refunded: Int64
  }

  /// Money that came in.
  package struct Charge: BitwiseCopyable {
    /// Milliseconds since 1970.
    package var time: Int64
    package var type: EventType
    package var product: UInt32
    package var kind: ProductKind
    /// Micros of the reporting currency.
    package var gross: Int64
    /// What refunds took back at the cut-off, from 0 to `gross`.
    var refunded: Int64
    /// What was charged, in micros of `currency`.
    var amountMicros: Int64 = 0
    package var currency = Currency.none
    /// When the access it buys ends, as far as the log tells; nil where it does not.
    package var end: Int64?
    /// What is left after tax and the store's commission.
    package var proceeds: Int64
    /// What of the net amount is tax.
    package var tax: Int64 = 0
    /// Stands for the subscription that it belongs to; 0 where the log names none.
    var chain: UInt32 = 0
    /// Stands for the store's group of subscriptions; 0 where neither products table nor log names one.
    var subscriptionGroup: UInt32 = 0
    /// How long it is paid for, where the log says so in words.
    var reportedPeriod: Period?
    /// How many more payments as large as this one a commitment asks for.
    var paymentsLeft: Int64 = 0
    /// What of it is paid again next time, in micros of `currency`; nil where that is all of it.
    var recurringMicros: Int64?
    /// It pays for what is left of a period that was paid for already.
    var isProrated = false
    /// What the store answered of it last.
    var standing = Standing()

    /// How a store says that a charge's subscription stands, without saying since when.
    struct Standing: BitwiseCopyable {
      /// When access ends unless it is renewed; nil where nothing tells.
      var end: Int64?
      /// A renewal has failed, and access lasts until then.
      var graceEnd: Int64?
      /// It does not renew by itself.
      var isRenewalOff = false
    }

    package var net: Int64 { gross - refunded }
    var isAutoRenewable: Bool { kind == .autoRenewable }
    /// It only adds to what runs, a seat say, and is for no period of its own.
    var isAddition: Bool { recurringMicros == 0 }
    /// What of `gross` is paid again next time.
    var recurring: Int64 {
      guard let recurringMicros, amountMicros > 0 else { return gross }
      return Int64(clamping: Money.roundedHalfToEven(Int128(gross) * Int128(recurringMicros), by: Int128(amountMicros)))
    }
    /// All of the money went back.
    var isRefunded: Bool { gross > 0 && refunded == gross }
  }

  /// Anything else that happened.
  package struct Event: BitwiseCopyable {
    /// Milliseconds since 1970.
    package var time: Int64
    package var type: EventType
    package var product: UInt32
    /// As the tables tell it; nil where none does.
    package var kind: ProductKind?
    /// When the trial or the grace that begins here ends, as far as the log tells; nil where it does not.
    package var end: Int64?
    /// Number of the code it carries; `Interner.none` where it carries none.
    package var code = Interner.none
    /// The transaction it belongs to; nil where it names none.
    var transaction: UInt64?
    /// Stands for the subscription that it belongs to; 0 where it names none.
    var chain: UInt32 = 0
    /// Stands for the store's group of subscriptions; 0 where neither products table nor log names one.
    var subscriptionGroup: UInt32 = 0
    /// A failed renewal of which the log says that it has no grace.
    var reportsNoGrace = false
  }

  private var latestTimeline = AccessTimelineBuilder()
  private var wholeTimeline = AccessTimelineBuilder()
  private var hasLatestTimeline = false
  private var hasWholeTimeline = false

  init(facts: ProductFacts, cutoff: Int64) {
    self.facts = facts
    self.cutoff = cutoff
  }

  /// Whether the cut-off lies at `time` or later.
  @inline(__always)
  package func hasCome(_ time: Int64) -> Bool { time <= cutoff }

  /// Looks at the same events from another cut-off, behind all of them.
  func move(to cutoff: Int64) {
    self.cutoff = cutoff
  }

  /// How long the latest subscription charge, which decides, gives access; worked out at the first question about a user.
  package var access: AccessTimeline {
    if !hasLatestTimeline {
      latestTimeline.build(self, latestAlone: true)
      hasLatestTimeline = true
    }
    return latestTimeline.timeline
  }

  /// How long each subscription charge gave access.
  package var wholeAccess: AccessTimeline {
    if !hasWholeTimeline {
      wholeTimeline.build(self, latestAlone: false)
      hasWholeTimeline = true
    }
    return wholeTimeline.timeline
  }

  func append(_ charge: Charge) {
    if charge.subscriptionGroup != 0 { hasSubscriptionGroups = true }
    retainedCharges.append(charge)
  }
  func append(_ event: Event) {
    happened.insert(event.type)
    if event.subscriptionGroup != 0 { hasSubscriptionGroups = true }
    if event.code != Interner.none { hasCodes = true }
    retainedEvents.append(event)
  }
  func append(_ step: RefundStep) { retainedRefundSteps.append(step) }
  func append(_ group: LoggedGroup) { retainedLoggedGroups.append(group) }
  func append(trialChange: Event) {
    if trialChange.subscriptionGroup != 0 { hasSubscriptionGroups = true }
    retainedTrialChanges.append(trialChange)
  }

  /// Adds the values of the attributes of the charge that was added last.
  func append(attributeValues values: ArraySlice<UInt32>) { retainedAttributeValues.append(each: values) }

  package var isEmpty: Bool { charges.isEmpty && events.isEmpty }

  /// A copy of a charge may name its group of subscriptions where the charge does not.
  func note(subscriptionGroup group: UInt32, ofCharge charge: Int) {
    guard group != 0, retainedCharges.span[charge].subscriptionGroup == 0 else { return }
    retainedCharges.span[charge].subscriptionGroup = group
    hasSubscriptionGroups = true
  }

  /// Takes from a copy when a trial, a grace or more time ends, which subscription it belongs to, and of a trial which
  /// product, where the kept event does not tell.
  ///
  /// - Parameter position: the kept event's among the events, or among the trials' changes, there counted from −1 down.
  func complete(_ position: Int, by copy: Event) {
    let (retained, position) = position < 0 ? (trialChanges, ~position) : (events, position)
    if let end = copy.end, retained[position].end == nil { retained[position].end = end }
    if copy.reportsNoGrace { retained[position].reportsNoGrace = true }
    if retained[position].chain == 0 { retained[position].chain = copy.chain }
    guard copy.type == .trialStart else { return }
    if retained[position].product == Interner.none {
      (retained[position].product, retained[position].kind) = (copy.product, copy.kind)
    }
    if retained[position].subscriptionGroup == 0, copy.subscriptionGroup != 0 {
      retained[position].subscriptionGroup = copy.subscriptionGroup
      hasSubscriptionGroups = true
    }
  }

  /// Sees, once all is told, whether the user has subscriptions of several groups. One that names none is of the group
  /// that its other charges and trials name.
  func settleSubscriptionGroups() {
    hasSeveralSubscriptionGroups = false
    guard hasSubscriptionGroups else { return }
    let groups = SubscriptionGroups(charges: charges, trials: [events, trialChanges])
    groups.complete()
    hasSeveralSubscriptionGroups = groups.areSeveral
  }

  /// Takes values of attributes for a charge that tells none.
  func complete(_ charge: Int, by values: ArraySlice<UInt32>) {
    for (attribute, value) in values.enumerated() {
      let position = charge * values.count + attribute
      if attributeValues[position] == Interner.none { attributeValues[position] = value }
    }
  }

  package func removeAll() {
    retainedCharges.removeAll()
    retainedAttributeValues.removeAll()
    retainedEvents.removeAll()
    retainedLoggedGroups.removeAll()
    retainedRefundSteps.removeAll()
    retainedTrialChanges.removeAll()
    hasSubscriptionGroups = false
    hasSeveralSubscriptionGroups = false
    hasBillingIssues = false
    copies = 0
    hasLatestTimeline = false
    hasWholeTimeline = false
    happened = HappenedTypes()
    hasCodes = false
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first place from which on `isBehind` holds, by halving; elements it holds for lie behind all others.
  func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
