import Domain

/// Attributes and aggregates one partition of users: its events in, its sums out.
final class PartitionAggregation {
  private let plan: MeasurementPlan
  private let roster: RosterPartition
  /// The partition of all users that the roster's are.
  private let partition: Int
  private let builder: HistoryBuilder
  /// What was known of a user at the assignment, for the metrics with a covariate; nil where none has one.
  private let past: EarlierHistory?
  private let daily: DailyAggregation
  /// Holds the night against an earlier one; nil where there is none.
  private let changes: ChangeAggregation?
  private let quantities: MetricQuantities
  private var verdicts = RecordBuffer<Population.Verdict>()
  private var groupNumbers = KeyNumbers<GroupKey>()
  private var groups: [GroupAccumulator] = []
  /// The groups of the sums that the partition goes into, but for those that have users here: these are in `groups`.
  private var others: [GroupKey: GroupAccumulator] = [:]
  private let cells: SegmentCells
  /// The phase and the day of assignment of the user at hand, as far as users are parted so.
  private var strata = RecordBuffer<UInt32>()
  /// By metric whether the largest quantities are kept.
  private var isWatched = RecordBuffer<Bool>()
  private var offeringNumbers = KeyNumbers<UInt32>()
  private var offerings: [OfferingTally] = []
  private var unknownPeriods: UnknownPeriods

  /// - Parameter partition: the partition of all users that the roster's are.
  init(_ plan: MeasurementPlan, roster: RosterPartition, partition: Int) {
    self.plan = plan
    self.roster = roster
    self.partition = partition
    builder = plan.history.makeBuilder(cutoff: plan.cutoff)
    past = plan.metrics.contains(where: \.looksBack) ? EarlierHistory(plan.history) : nil
    daily = DailyAggregation(
      nights: plan.nights, metrics: plan.metrics, attributes: plan.attributes, strata: plan.strata,
      values: roster.values, earlier: EarlierHistory(plan.history))
    changes = plan.changes.map { ChangeAggregation($0, of: plan) }
    quantities = MetricQuantities(plan.metrics)
    cells = SegmentCells(plan.metrics, attributes: plan.splitCount, phaseSplit: plan.split(by: .phase))
    isWatched.append(each: plan.metrics.lazy.map(\.watchesLargest))
    unknownPeriods = UnknownPeriods(
      areAllAsked: plan.metrics.contains(where: \.needsPeriod))
  }

  /// Adds the partition's users to `sums`.
  func add(_ events: PartitionEventIndex, to sums: inout PartitionSums) {
    swap(&others, &sums.groups)
    for user in 0..<roster.userCount { events.withEvents(ofUser: user) { add(user, $0, &sums) } }
    sums.hasOverflowed = sums.hasOverflowed || builder.hasOverflowed
    sums.oddPrices.merge(builder.oddPrices)
    sums.unknownPeriods.merge(unknownPeriods.users)
    cells.merge(into: &groups)
    daily.finish(&sums.daily)
    for (number, key) in groupNumbers.keys.enumerated() { others[key] = groups[number] }
    groups.removeAll()
    swap(&others, &sums.groups)
    for (number, key) in offeringNumbers.keys.enumerated() {
      sums.offerings[key, default: OfferingTally()].merge(offerings[number])
    }
  }

  private func add(_ user: Int, _ events: UserEvents, _ sums: inout PartitionSums) {
    let memberships = roster.range(ofUser: user)
    guard !memberships.isEmpty else { return events.forEach { sums.tally.leaveUnassigned($0) } }
    changes?.begin(events)
    guard judge(memberships, events) else {
      events.forEach { sums.tally.exclude($0) }
      return followUntilSecondGroup(memberships, events, isBuilt: false, &sums)
    }
    if events.isEmpty { builder.history.removeAll() } else { builder.build(events, &sums.tally) }
    let verdicts = verdicts.span
    for (index, position) in memberships.enumerated() {
      guard case .measured(let start) = verdicts[index] else { continue }
      let membership = roster.memberships[position]
      let member = member(membership, from: start, events)
      measure(member, membership, from: start)
      follow(member, membership, from: start, events, &sums)
      if !builder.history.loggedGroups.isEmpty {
        offerings[offering(membership.offering)].compare(
          builder.history.loggedGroups, with: membership, isOnly: memberships.count == 1)
      }
    }
    sums.unknownTrials.add(builder.history)
    followUntilSecondGroup(memberships, events, isBuilt: true, &sums)
  }

  /// The user as a member, with what was known at the assignment where a metric asks for that.
  private func member(_ membership: Membership, from start: Int64, _ events: UserEvents) -> UserInGroup {
    let hasPast = past != nil && events.happenedSomething(in: .min..<start)
    return UserInGroup(
      history: builder.history, group: GroupKey(membership),
      past: hasPast ? past?.history(of: events, before: start) : nil)
  }

  // MARK: - Who counts

  /// Judges every membership of a user; false where all of them leave the user out.
  private func judge(_ memberships: Range<Int>, _ events: UserEvents) -> Bool {
    verdicts.removeAll()
    var isMeasured = false
    for position in memberships {
      let membership = roster.memberships[position]
      let verdict = plan.population.verdict(on: membership, events: events)
      verdicts.append(verdict)
      offerings[offering(membership.offering)].count(membership, verdict)
      if verdict.isOutside { continue }
      if !membership.isInSeveralGroups { countAssigned(membership) }
      if case .measured = verdict { isMeasured = true }
    }
    return isMeasured
  }

  private func countAssigned(_ membership: Membership) {
    let group = number(of: membership)
    groups[group].assignedUsers += 1
    guard plan.strata.kinds.contains(.phase) else { return }
    groups[group].assignedPhases[plan.strata.stratum(of: membership, .phase), default: 0] += 1
  }

  private func number(of membership: Membership) -> Int {
    let key = GroupKey(membership)
    if let known = groupNumbers.find(key) { return known }
    groups.append(
      others.removeValue(forKey: key)
        ?? GroupAccumulator(metrics: plan.metrics.count, attributes: plan.splitCount, tables: plan.tables))
    return groupNumbers.add(key)
  }

  private func offering(_ code: UInt32) -> Int {
    if let known = offeringNumbers.find(code) { return known }
    offerings.append(OfferingTally())
    return offeringNumbers.add(code)
  }

  // MARK: - Sums

  private func measure(_ user: UserInGroup, _ membership: Membership, from start: Int64) {
    quantities.accept(user, from: start)
    let group = number(of: membership)
    groups[group].add(user, ofPartition: partition, from: start, plan)
    if cells.isFull { cells.merge(into: &groups) }
    let first = membership.attributes
    strata.removeAll()
    for kind in plan.strata.kinds { strata.append(plan.strata.stratum(of: membership, kind)) }
    cells.add(
      quantities, group: group, values: roster.values[first..<first + plan.attributes.count], strata: strata.span)
    if !quantities.areIdle { watch(group) }
    unknownPeriods.look(at: user.history)
  }

  /// Keeps the user's quantities where they are among the largest of the group.
  private func watch(_ group: Int) {
    let (values, isWatched) = (quantities.values, isWatched.span)
    func watch(_ metric: Int) {
      guard isWatched[metric], let quantity = values[metric] else { return }
      groups[group].largest[metric].add(quantity.y)
    }
    for metric in quantities.ones { watch(metric) }
    for metric in quantities.others { watch(metric) }
  }

  // MARK: - Night by night

  /// Until the night a second group came, a user counted in the first one.
  private func followUntilSecondGroup(
    _ memberships: Range<Int>, _ events: UserEvents, isBuilt: Bool, _ sums: inout PartitionSums
  ) {
    var isBuilt = isBuilt
    for position in memberships where roster.memberships[position].isInSeveralGroups {
      let membership = roster.memberships[position]
      guard case .measured(let start) = plan.population.verdictAlone(on: membership, events: events) else { continue }
      if !isBuilt {
        // The events are booked as those of a user who does not count.
        var unread = EventTally(files: plan.history.fileCount)
        builder.build(events, &unread)
        isBuilt = true
      }
      quantities.removeAll()
      follow(member(membership, from: start, events), membership, from: start, events, &sums)
    }
  }

  private func follow(
    _ user: UserInGroup, _ membership: Membership, from start: Int64, _ events: UserEvents, _ sums: inout PartitionSums
  ) {
    let followed = FollowedUser(
      user: user, membership: membership, start: start, events: events)
    daily.add(followed, quantities, to: &sums.daily)
    changes?.add(followed, quantities: quantities.values, to: &sums.changes)
  }
}
