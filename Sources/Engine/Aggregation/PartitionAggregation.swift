import Domain
import Jobs
import Statistics

/// Attributes and aggregates one partition of users: its events in, its sums out.
final class PartitionAggregation: Sendable {
  let metrics: [CompiledMetric]
  let facts: ProductFacts
  let types: EventTypes
  let rates: ExchangeRates
  let order: RosterOrder
  let feeds: FeedIndex
  /// What the log tells beside charges, by number.
  let details: ChargeDetailsIndex
  let population: Population
  let attributes: [String]
  let fileCount: Int
  /// What is counted beside the metrics.
  let tables: ArmTablePlan
  /// The nights to look back on.
  let nights: Nights
  /// T, in milliseconds since 1970.
  let cutoff: Int64

  init(
    metrics: [CompiledMetric], facts: ProductFacts, types: EventTypes, rates: ExchangeRates, order: RosterOrder,
    feeds: FeedIndex, details: ChargeDetailsIndex, population: Population, attributes: [String], fileCount: Int,
    nights: Nights, cutoff: Instant, tables: ArmTablePlan
  ) {
    self.tables = tables
    self.cutoff = cutoff.milliseconds
    self.metrics = metrics
    self.facts = facts
    self.types = types
    self.rates = rates
    self.order = order
    self.feeds = feeds
    self.details = details
    self.population = population
    self.attributes = attributes
    self.fileCount = fileCount
    self.nights = nights
  }

  /// The sums of nobody, to add to.
  var emptySums: PartitionSums {
    PartitionSums(files: fileCount, nights: nights.count, metrics: metrics.count)
  }

  func makeBuilder() -> HistoryBuilder {
    HistoryBuilder(
      order: EventOrder(facts: facts, types: types, names: order, feeds: feeds, details: details), rates: rates,
      cutoff: cutoff)
  }

  /// Adds the users of `roster`, whose events lie in `chunks`, to `sums`.
  func add(_ roster: RosterPartition, events chunks: [EventChunks], partition: Int, to sums: inout PartitionSums) {
    let work = Work(plan: self, roster: roster)
    let events = UserEvents(chunks, partition: partition, userCount: roster.userCount)
    for user in 0..<roster.userCount {
      work.measure(user, events.ofUser(user), &sums)
    }
    sums.hasOverflowed = sums.hasOverflowed || work.builder.hasOverflowed
    sums.oddPrices.merge(work.builder.oddPrices)
    work.flush(into: &sums)
  }

  /// What goes from user to user of one partition.
  private final class Work {
    let plan: PartitionAggregation
    let roster: RosterPartition
    let builder: HistoryBuilder
    var verdicts: [Population.Verdict] = []
    var arms: [ArmAccumulator] = []
    var armNumbers: [ArmKey: Int] = [:]
    /// Each metric's quantity of the user at hand; nil where its window has not ended.
    var quantities: [Quantity?]
    /// For each metric whether its cap waits for all users, and by attribute whether it is split.
    let isDeferred: [Bool]
    let splits: [[Bool]]
    let daily: DailyAggregation
    let needsPeriods: Bool
    /// What was known of a user at the assignment, for the metrics with a covariate; nil where none has one.
    let past: EarlierHistory?
    /// Products that give access at T and whose period nothing tells, where that leaves an end or a metric open.
    var unknownPeriods: Set<UInt32> = []
    /// The type of a served offering, where the job has a log of such calls.
    let offeringServed: EventType?

    init(plan: PartitionAggregation, roster: RosterPartition) {
      self.plan = plan
      self.roster = roster
      builder = plan.makeBuilder()
      past =
        plan.metrics.contains(where: \.looksBack)
        ? EarlierHistory(plan.makeBuilder(), files: plan.fileCount) : nil
      offeringServed = plan.types.type(named: APIEventType.offeringServed.rawValue)
      quantities = plan.metrics.map { _ in nil }
      daily = DailyAggregation(
        nights: plan.nights, metrics: plan.metrics, attributes: plan.attributes,
        earlier: EarlierHistory(plan.makeBuilder(), files: plan.fileCount))
      needsPeriods = plan.metrics.contains(where: \.needsPeriod)
      isDeferred = plan.metrics.map(\.countsValues)
      splits = (0..<plan.attributes.count).map { attribute in plan.metrics.map { $0.isSplitBy[attribute] } }
    }

    func measure(_ user: Int, _ events: ArraySlice<EventRecord>, _ sums: inout PartitionSums) {
      let memberships = roster.range(ofUser: user)
      guard !memberships.isEmpty else {
        for event in events { sums.tally.leaveUnassigned(event) }
        return
      }
      guard judge(memberships, events, &sums) else {
        for event in events { sums.tally.exclude(event) }
        followThoseOfSeveralGroups(memberships, events, isBuilt: false, &sums)
        return
      }
      if events.isEmpty { builder.history.removeAll() } else { builder.build(events, &sums.tally) }
      for (index, membership) in memberships.enumerated() {
        guard case .measured(let start) = verdicts[index] else { continue }
        let member = self.member(roster.memberships[membership], from: start, events)
        add(member, roster.memberships[membership], from: start)
        follow(member, roster.memberships[membership], from: start, events, &sums)
        if !builder.history.loggedArms.isEmpty {
          countMismatches(roster.memberships[membership], isOnly: memberships.count == 1, &sums)
        }
      }
      followThoseOfSeveralGroups(memberships, events, isBuilt: true, &sums)
    }

    /// Until the night a second group came, a user counted in the first one.
    private func followThoseOfSeveralGroups(
      _ memberships: Range<Int>, _ events: ArraySlice<EventRecord>, isBuilt: Bool, _ sums: inout PartitionSums
    ) {
      var isBuilt = isBuilt
      for index in memberships where roster.memberships[index].isInSeveralGroups {
        let membership = roster.memberships[index]
        guard case .measured(let start) = plan.population.verdictAlone(on: membership, events: events) else { continue }
        if !isBuilt {
          var nowhere = EventTally(files: plan.fileCount)
          builder.build(events, &nowhere)
          isBuilt = true
        }
        for metric in quantities.indices { quantities[metric] = nil }
        follow(member(membership, from: start, events), membership, from: start, events, &sums)
      }
    }

    /// The user as a member, with what was known at the assignment where a metric asks for that.
    private func member(
      _ membership: Membership, from start: Int64, _ events: ArraySlice<EventRecord>
    ) -> UserInGroup {
      let hasPast = past != nil && events.contains { $0.time < start }
      return UserInGroup(
        history: builder.history, arm: ArmKey(membership),
        past: hasPast ? past?.history(of: events, before: start) : nil)
    }

    private func follow(
      _ user: UserInGroup, _ membership: Membership, from start: Int64, _ events: ArraySlice<EventRecord>,
      _ sums: inout PartitionSums
    ) {
      let followed = DailyAggregation.Followed(
        user: user, membership: membership, start: start, values: roster.values, events: events)
      daily.add(followed, quantities: quantities, to: &sums.daily)
    }

    /// Judges every membership of a user; false where all of them leave the user out.
    private func judge(
      _ memberships: Range<Int>, _ events: ArraySlice<EventRecord>, _ sums: inout PartitionSums
    ) -> Bool {
      verdicts.removeAll(keepingCapacity: true)
      var isMeasured = false
      for index in memberships {
        let membership = roster.memberships[index]
        let verdict = plan.population.verdict(on: membership, events: events)
        verdicts.append(verdict)
        count(membership, verdict, &sums)
        if case .measured = verdict { isMeasured = true }
      }
      return isMeasured
    }

    private func count(
      _ membership: Membership, _ verdict: Population.Verdict, _ sums: inout PartitionSums
    ) {
      var offering = OfferingTally()
      if case .notEnrolled = verdict {
        offering.notEnrolled = 1
        sums.offerings[membership.offering, default: OfferingTally()].merge(offering)
        return
      }
      offering.assignedUsers = 1
      if membership.hadSeveralGroups { offering.multipleGroupUsers = 1 }
      switch verdict {
      case .measured(let start): offering.measuredFrom = start
      case .inSeveralGroups, .notEnrolled: break
      case .unexposed: offering.unexposedUsers = 1
      case .earlierCustomer: offering.earlierCustomers = 1
      }
      sums.offerings[membership.offering, default: OfferingTally()].merge(offering)
      if !membership.isInSeveralGroups { arms[number(of: membership)].assignedUsers += 1 }
    }

    private func number(of membership: Membership) -> Int {
      let key = ArmKey(membership)
      if let known = armNumbers[key] { return known }
      arms.append(
        ArmAccumulator(metrics: plan.metrics.count, attributes: plan.attributes.count, tables: plan.tables))
      armNumbers[key] = arms.count - 1
      return arms.count - 1
    }

    // MARK: - Sums

    private func add(_ user: UserInGroup, _ membership: Membership, from start: Int64) {
      take(user, from: start)
      let arm = number(of: membership)
      arms[arm].measuredUsers += 1
      countShown(to: &arms[arm])
      addRevenue(to: &arms[arm], from: start)
      addTables(to: &arms[arm], user, from: start)
      add(to: &arms[arm].all, attribute: nil)
      for attribute in 0..<plan.attributes.count {
        let value = roster.values[membership.attributes + attribute]
        if arms[arm].bySegment[attribute][value] == nil {
          arms[arm].bySegment[attribute][value] = SegmentAccumulator(metrics: plan.metrics.count)
        }
        add(to: &arms[arm].bySegment[attribute][value]!, attribute: attribute)
      }
    }

    private func countShown(to arm: inout ArmAccumulator) {
      guard !builder.history.events.isEmpty else { return }
      let isViewed = builder.history.events.contains { $0.type == .paywallView }
      let isServed = offeringServed.map { type in builder.history.events.contains { $0.type == type } } ?? false
      if isViewed { arm.shown.viewed += 1 }
      if isServed { arm.shown.served += 1 }
      if isViewed || isServed { arm.shown.any += 1 }
    }

    private func addTables(to arm: inout ArmAccumulator, _ member: UserInGroup, from start: Int64) {
      let user = member.history
      guard !user.isEmpty else { return }
      arm.tables.add(member, from: start, plan.tables)
      guard !user.charges.isEmpty else { return }
      unknownPeriods.formUnion(user.productsOfUnknownEnd)
      guard needsPeriods, let latest = user.access.latest, latest.accessEnd > user.cutoff else { return }
      let product = user.charges[latest.charge].product
      if plan.facts.periods[Int(product)] == nil { unknownPeriods.insert(product) }
    }

    private func addRevenue(to arm: inout ArmAccumulator, from start: Int64) {
      guard !builder.history.charges.isEmpty else { return }
      let revenue = builder.history.charges.reduce(Int128(0)) { $0 + ($1.time >= start ? Int128($1.net) : 0) }
      for charge in builder.history.charges { arm.purchases.add(charge.time, from: start) }
      arm.revenue += revenue
      arm.largestUserRevenue = max(arm.largestUserRevenue, revenue)
    }

    /// Takes every metric's quantity of the user; nil where its window has not ended.
    private func take(_ user: UserInGroup, from start: Int64) {
      for index in quantities.indices {
        let metric = plan.metrics[index]
        guard let window = metric.window(from: start) else {
          quantities[index] = nil
          continue
        }
        guard !builder.history.isEmpty else {
          quantities[index] = metric.idleQuantity
          continue
        }
        quantities[index] = metric.quantity(of: user, in: window)
      }
    }

    private func add(to segment: inout SegmentAccumulator, attribute: Int?) {
      segment.users += 1
      for index in quantities.indices {
        if let attribute, !splits[attribute][index] { continue }
        if let quantity = quantities[index] {
          segment.metrics[index].add(quantity, deferring: isDeferred[index])
        } else {
          segment.metrics[index].immature += 1
        }
      }
    }

    // MARK: - Stickiness

    /// Counts the events logged with another group than the user's, and whether they name several groups. An event
    /// logged without an offering belongs to the user's only one, where there is only one.
    private func countMismatches(_ membership: Membership, isOnly: Bool, _ sums: inout PartitionSums) {
      var offering = OfferingTally()
      var firstGroup: UInt16?
      for logged in builder.history.loggedArms {
        let isOfOffering =
          logged.offering == EventRecord.noName ? isOnly : UInt32(logged.offering) == membership.offering
        guard isOfOffering else { continue }
        offering.loggedEvents += 1
        if UInt32(logged.group) != membership.group { offering.groupMismatches += 1 }
        if firstGroup ?? logged.group != logged.group { offering.servedTwoGroups = 1 }
        firstGroup = firstGroup ?? logged.group
      }
      sums.offerings[membership.offering, default: OfferingTally()].merge(offering)
    }

    func flush(into sums: inout PartitionSums) {
      sums.unknownPeriods.formUnion(unknownPeriods)
      for (key, number) in armNumbers {
        if sums.arms[key] == nil { sums.arms[key] = arms[number] } else { sums.arms[key]!.merge(arms[number]) }
      }
    }
  }
}
