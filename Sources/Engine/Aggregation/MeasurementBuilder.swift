import Domain
import Jobs
import Measurement
import Statistics

/// Makes the measurement out of the merged sums: caps settled, small segments put together, names for numbers,
/// all in order of the names' bytes.
struct MeasurementBuilder {
  let job: Job
  let catalog: Catalog
  let plan: MeasurementPlan
  /// Of segments, by number.
  private let attributes: [String]
  /// All names, by number: every name has been read.
  let offeringNames: [Identifier]
  let groupNames: [Identifier]
  private let codeNames: [Identifier]
  private let valueNames: [[Identifier]]

  init(roster: Roster, job: Job, catalog: Catalog, plan: MeasurementPlan) {
    (self.job, self.catalog, self.plan) = (job, catalog, plan)
    attributes = roster.attributes
    offeringNames = roster.names.offerings.names
    groupNames = roster.names.groups.names
    codeNames = roster.names.codes.names
    valueNames = roster.values.map(\.names)
  }

  var metrics: [CompiledMetric] { plan.metrics }
  var tables: GroupTablePlan { plan.tables }

  /// How many values of an attribute stand by themselves; the rest is `(other)`.
  static let segmentsPerAttribute = 20

  /// - Throws: `OfferliftError`, exit 65, where a sum does not fit 128 bits.
  func offerings(_ sums: PartitionSums) throws -> [OfferingMeasurement] {
    let byOffering = Dictionary(grouping: sums.groups, by: \.key.offering)
    return try sums.offerings.map { code, tally in
      let groups = byOffering[code, default: []].map { ($0.key.group, $0.value) }
      return try offering(code, tally, groups)
    }
    .sorted { $0.id < $1.id }
  }

  /// One offering, from the sums of its groups.
  func offering(
    _ code: UInt32, _ tally: OfferingTally, _ groups: [(group: UInt32, sums: GroupAccumulator)]
  ) throws -> OfferingMeasurement {
    let id = offeringNames[Int(code)]
    let groups = settled(groups)
    let retained = retainedValues(groups.map(\.sums))
    let values = AttributeValueNames(groups.map(\.sums.tables.attributes), of: tables.details)
    let measured = try groups.map { try group(GroupKey(offering: code, group: $0.group), $0.sums, retained, values) }
    let phases = weightPhases(of: id)
    let weights =
      phases.isEmpty ? (catalog.weights[id] ?? job.weights[id])?.filter { isInTest($0.key, of: id) } : nil
    var offering = OfferingMeasurement(
      id: id, groups: measured.sorted { $0.id < $1.id }, assignedUsers: tally.assignedUsers,
      multipleGroupUsers: tally.multipleGroupUsers, notEnrolled: tally.notEnrolled,
      unexposedUsers: tally.unexposedUsers,
      earlierCustomers: tally.earlierCustomers, groupMismatches: tally.groupMismatches,
      loggedEvents: tally.loggedEvents, servedTwoGroups: tally.servedTwoGroups,
      measuredFrom: tally.measuredFrom == .max ? nil : Instant(milliseconds: tally.measuredFrom),
      weights: weights)
    offering.name = catalog.nameOfOffering[id]
    let pairs = PriceDifference.pairs(of: id, measured, catalog, job)
    offering.pairPrices = pairs
    offering.priceDifference = pairs.first?.difference
    offering.inExcludedGroups = tally.inExcludedGroups
    offering.weightPhases = phases
    return offering
  }

  /// One offering as it stood at the end of an earlier night: its groups' users and what metrics came to, and nothing else
  /// that a run measures.
  func offering(_ code: UInt32, onNight groups: [(group: UInt32, sums: some SplitSums)]) throws -> OfferingMeasurement {
    let id = offeringNames[Int(code)]
    let groups = settled(groups)
    let retained = retainedValues(groups.map(\.sums))
    let measured = try groups.map { group, sums in
      var measured = GroupMeasurement(
        id: groupNames[Int(group)], assignedUsers: sums.all.users, measuredUsers: sums.all.users,
        segments: try segments(of: sums, retained, phases: nil))
      if plan.strata.phaseCount(of: code) != nil { measured.byPhase = try strata(of: sums, by: .phase) }
      measured.byDay = try strata(of: sums, by: .day)
      return measured
    }
    var offering = OfferingMeasurement(id: id, groups: measured.sorted { $0.id < $1.id })
    offering.weightPhases = weightPhases(of: id)
    return offering
  }

  private func weightPhases(of id: Identifier) -> [WeightPhase] {
    job.weightPhases[id, default: []].map { phase in
      WeightPhase(from: phase.from, name: phase.name, weights: phase.weights.filter { isInTest($0.key, of: id) })
    }
  }

  private func isInTest(_ group: Identifier, of offering: Identifier) -> Bool {
    !job.excludedGroups.contains(group, of: offering)
  }

  // MARK: - Caps

  /// For each metric with a percentile cap the level: nearest rank over all groups' users with a value above 0.
  private func caps(_ groups: [some SplitSums]) -> [Int128?] {
    metrics.indices.map { index in
      metrics[index].hasPercentileCap ? cap(of: index, groups.map { $0.all.metrics[index] }) : nil
    }
  }

  /// One metric's level over all groups of an offering; nil where it has no percentile cap, or nobody a value.
  func cap(of index: Int, _ groups: [Accumulator]) -> Int128? {
    guard case .percentile(let numerator, let denominator) = metrics[index].measured.request.cap else { return nil }
    var users: [Int128: Int] = [:]
    for group in groups {
      for (quantity, count) in group.counts where quantity.y > 0 { users[quantity.y, default: 0] += count }
    }
    return Self.nearestRank(users, numerator: numerator, denominator: denominator)
  }

  /// The value of rank ⌈p·N⌉ among N; nil where there are none.
  static func nearestRank(_ users: [Int128: Int], numerator: Int128, denominator: Int128) -> Int128? {
    let total = users.values.reduce(0, +)
    guard total > 0 else { return nil }
    let rank = max(1, (numerator * Int128(total) + denominator - 1) / denominator)
    var seen: Int128 = 0
    for (value, count) in users.sorted(by: { $0.key < $1.key }) {
      seen += Int128(count)
      if seen >= rank { return value }
    }
    return users.keys.max()
  }

  /// The groups with every metric's sums as they are with its cap.
  private func settled<Sums: SplitSums>(_ groups: [(group: UInt32, sums: Sums)]) -> [(group: UInt32, sums: Sums)] {
    let counted = metrics.indices.filter { metrics[$0].countsValues }
    guard !counted.isEmpty else { return groups }
    var groups = groups
    let caps = caps(groups.map(\.sums))
    for position in groups.indices {
      for index in counted { settle(&groups[position].sums, index, cap: caps[index]) }
    }
    return groups
  }

  private func settle(_ group: inout some SplitSums, _ index: Int, cap: Int128?) {
    group.all.metrics[index].settle(cap: cap)
    for attribute in group.bySegment.indices {
      for value in group.bySegment[attribute].keys {
        group.bySegment[attribute][value]!.metrics[index].settle(cap: cap)
      }
    }
  }

  // MARK: - Segments

  /// For each attribute the values that stand by themselves: the offering's largest, ties by name.
  private func retainedValues(_ groups: [some SplitSums]) -> [Set<UInt32>] {
    attributes.indices.map { attribute in
      var sizes: [UInt32: Int] = [:]
      for group in groups {
        for (value, segment) in group.bySegment[attribute] { sizes[value, default: 0] += segment.users }
      }
      let names = valueNames[attribute]
      let ordered = sizes.sorted { left, right in
        left.value == right.value
          ? name(left.key, names) < name(right.key, names) : left.value > right.value
      }
      return Set(ordered.prefix(Self.segmentsPerAttribute).map(\.key))
    }
  }

  private func name(_ value: UInt32, _ names: [Identifier]) -> Identifier {
    value == Interner.none ? "(none)" : names[Int(value)]
  }

  private func group(
    _ key: GroupKey, _ group: GroupAccumulator, _ retained: [Set<UInt32>], _ values: AttributeValueNames
  ) throws -> GroupMeasurement {
    let phases = plan.strata.phaseCount(of: key.offering)
    var segments = group.measuredUsers == 0 ? [] : try segments(of: group, retained, phases: phases)
    if !segments.isEmpty {
      for (metric, largest) in group.largest.enumerated() { segments[0].metrics[metric]?.largest = largest.values }
    }
    var measured = GroupMeasurement(
      id: groupNames[Int(key.group)], assignedUsers: group.assignedUsers,
      measuredUsers: group.measuredUsers, shown: group.shown,
      revenue: group.revenue,
      largestUserRevenue: group.largestUserRevenue, purchases: group.purchases,
      tables: GroupTables(
        group.tables,
        GroupNames(
          measuredUsers: group.measuredUsers, facts: plan.history.facts, types: plan.history.types,
          codes: codeNames, displayed: tables.displayedPrices.prices(of: key), attributes: values)),
      segments: segments)
    if let phases {
      measured.assignedPhases = Self.byPhase(group.assignedPhases, phases)
      measured.byPhase = try strata(of: group, by: .phase)
    }
    measured.byDay = try strata(of: group, by: .day)
    return measured
  }

  /// Everybody, and then the segments in order of their names.
  private func segments(of sums: some SplitSums, _ retained: [Set<UInt32>], phases: Int?) throws -> [SegmentMeasurement]
  {
    var split: [SegmentMeasurement] = []
    for attribute in attributes.indices where !sums.bySegment[attribute].isEmpty && isSplit(by: attribute) {
      let named = segments(sums.bySegment[attribute], attribute: attribute, retained: retained[attribute])
      split += try named.map { try segment($0.key, $0.value, attribute: attribute, phases: phases) }
    }
    return [try segment("all", sums.all, attribute: nil, phases: phases)] + split.sorted { $0.id < $1.id }
  }

  /// The group's users of each phase or day, in order; none where users are not parted so.
  private func strata(of group: some SplitSums, by kind: AssignmentStrata.Kind) throws -> [StratumMeasurement] {
    guard let split = plan.split(by: kind) else { return [] }
    return try group.bySegment[split].sorted { $0.key < $1.key }.map { number, sums in
      let measured = try segment("", sums, attribute: split, phases: nil)
      return StratumMeasurement(number: number, metrics: measured.metrics)
    }
  }

  private static func byPhase(_ users: [UInt32: Int], _ phases: Int) -> [Int] {
    (0..<phases).map { users[UInt32($0), default: 0] }
  }

  /// One attribute's sums under the names that are printed.
  private func segments(
    _ byValue: [UInt32: SegmentAccumulator], attribute: Int, retained: Set<UInt32>
  ) -> [Identifier: SegmentAccumulator] {
    let names = valueNames[attribute]
    var segments: [Identifier: SegmentAccumulator] = [:]
    for (value, sums) in byValue {
      let shown = retained.contains(value) ? name(value, names) : "(other)"
      let id = Identifier(utf8: Array(attributes[attribute].utf8) + [UInt8(ascii: "=")] + shown.utf8)
      if segments[id] == nil { segments[id] = sums } else { segments[id]!.merge(sums) }
    }
    return segments
  }

  private func isSplit(by attribute: Int) -> Bool {
    metrics.contains { $0.isSplitBy[attribute] }
  }

  /// - Parameter phases: how many phases the offering's weights have; nil where they have no dates.
  private func segment(
    _ id: Identifier, _ sums: SegmentAccumulator, attribute: Int?, phases: Int?
  ) throws -> SegmentMeasurement {
    let measured = try metrics.indices.map { index -> MetricMeasurement? in
      if let attribute, !metrics[index].isSplitBy[attribute] { return nil }
      return try measurement(of: sums.metrics[index], metric: index)
    }
    var segment = SegmentMeasurement(id: id, users: sums.users, metrics: measured)
    if let phases { segment.phases = Self.byPhase(sums.phases, phases) }
    return segment
  }

  /// A metric's settled sums.
  func measurement(of sums: Accumulator, metric index: Int) throws -> MetricMeasurement {
    guard !sums.hasOverflowed else {
      throw OfferliftError(
        .badData,
        "metric \(metrics[index].measured.request.id): its sums exceed 128 bits; "
          + "look for a price that is far too large, or set a cap:.")
    }
    return MetricMeasurement(
      statistics: sums.statistics, immature: sums.immature, values: metrics[index].retainsValues ? sums.values : [])
  }
}
