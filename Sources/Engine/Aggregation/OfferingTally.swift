/// What is counted of an offering beside its groups.
struct OfferingTally: Tally {
  var assignedUsers = 0
  var multipleGroupUsers = 0
  var notEnrolled = 0
  var inExcludedGroups = 0
  var unexposedUsers = 0
  var earlierCustomers = 0
  var groupMismatches = 0
  var loggedEvents = 0
  var servedTwoGroups = 0
  /// When the first measured user's time began, in milliseconds since 1970.
  var measuredFrom = Int64.max

  static let parts: [TallyPart<Self>] = [
    TallyPart(\.assignedUsers), TallyPart(\.multipleGroupUsers), TallyPart(\.notEnrolled),
    TallyPart(\.inExcludedGroups),
    TallyPart(\.unexposedUsers), TallyPart(\.earlierCustomers), TallyPart(\.groupMismatches), TallyPart(\.loggedEvents),
    TallyPart(\.servedTwoGroups), TallyPart(extreme: \.measuredFrom, min),
  ]

  /// Counts a user's membership and what the population rules make of it.
  mutating func count(_ membership: Membership, _ verdict: Population.Verdict) {
    if case .notEnrolled = verdict {
      notEnrolled += 1
      return
    }
    if case .inExcludedGroup = verdict {
      inExcludedGroups += 1
      return
    }
    assignedUsers += 1
    if membership.hadSeveralGroups { multipleGroupUsers += 1 }
    switch verdict {
    case .measured(let start): measuredFrom = min(measuredFrom, start)
    case .inSeveralGroups, .notEnrolled, .inExcludedGroup: break
    case .unexposed: unexposedUsers += 1
    case .earlierCustomer: earlierCustomers += 1
    }
  }

  /// Counts a user's events logged with another group than the user's, and whether they name several groups. An event
  /// logged without an offering belongs to the user's only one, where there is only one.
  mutating func compare(
    _ logged: RecordSpan<UserHistory.LoggedGroup>, with membership: Membership, isOnly: Bool
  ) {
    var first: UInt32?
    var isServedTwo = false
    for logged in logged {
      let isOfOffering =
        logged.offering == Interner.none ? isOnly : logged.offering == membership.offering
      guard isOfOffering else { continue }
      loggedEvents += 1
      if logged.group != membership.group { groupMismatches += 1 }
      if first ?? logged.group != logged.group { isServedTwo = true }
      first = first ?? logged.group
    }
    if isServedTwo { servedTwoGroups += 1 }
  }
}
