import Measurement

/// Whether sums from elsewhere are sums of a plan: merging and naming them takes their lists to be as long as the plan
/// says, and their numbers to be those of names.
struct SumsFit {
  private let plan: MeasurementPlan
  private let facts: ProductFacts
  private let names: RosterOrder

  init(_ plan: MeasurementPlan) {
    self.plan = plan
    (facts, names) = (plan.history.facts, plan.history.names)
  }

  /// What does not fit, in a few words; nil where everything does.
  func misfit(of events: AttributedEvents) -> String? {
    let (sums, files) = (events.sums, plan.history.fileCount)
    let parts: [(what: String, isFit: Bool)] = [
      ("files", sums.tally.fates.count == files && (events.counts.isEmpty || events.counts.count == files)),
      ("groups", sums.groups.keys.allSatisfy { isKnown($0) }),
      ("sums of a group", sums.groups.values.allSatisfy { isFit($0) }),
      ("tables of a group", sums.groups.values.allSatisfy { isFit($0.tables) }),
      ("offerings", sums.offerings.keys.allSatisfy { $0 < names.offerings.count }),
      (
        "products",
        (Array(sums.oddPrices.found.keys) + sums.unknownPeriods + sums.tally.unknownKinds).allSatisfy(isProduct)
      ),
      ("nights", sums.daily.keys.allSatisfy { isFit($0) }),
      ("changes", isFit(sums.changes)),
      ("users in no offering", events.outside.sales.keys.allSatisfy { isKnown($0) }),
    ]
    return parts.first { !$0.isFit }.map { "they have other \($0.what) than the run" }
  }

  // MARK: - Numbers

  private func isKnown(_ key: GroupKey) -> Bool {
    key.offering < names.offerings.count && key.group < names.groups.count
  }

  private func isKnown(_ key: OutsideTally.Key) -> Bool {
    (key.offering == EventHead.noName || key.offering < names.offerings.count)
      && (key.group == EventHead.noName || key.group < names.groups.count)
  }

  private func isProduct(_ product: UInt32) -> Bool { product < facts.ids.count }

  /// Phases and days are the last of the attributes, and have no names.
  private func isValue(_ value: UInt32, of attribute: Int) -> Bool {
    attribute >= plan.attributes.count || value == Interner.none || value < names.values[attribute].count
  }

  private func isFit(_ cell: DailySums.Cell) -> Bool {
    guard isKnown(cell.group) else { return false }
    guard let attribute = cell.attribute else { return cell.value == Interner.none }
    return (0..<plan.splitCount).contains(attribute) && isValue(cell.value, of: attribute)
  }

  // MARK: - Groups

  private func isFit(_ group: GroupAccumulator) -> Bool {
    isFit(group.all) && group.bySegment.count == plan.splitCount
      && group.largest.allSatisfy { plan.metrics.indices.contains($0.key) && $0.value.isSound }
      && group.bySegment.enumerated().allSatisfy { attribute, segments in
        segments.allSatisfy { isValue($0.key, of: attribute) && isFit($0.value) }
      }
  }

  private func isFit(_ segment: SegmentAccumulator) -> Bool { segment.metrics.count == plan.metrics.count }

  private func isFit(_ tables: GroupTallies) -> Bool {
    tables.products.sums.all.allSatisfy { isProduct($0.key.product) } && isFit(tables.payments)
      && tables.displayPrices.counts.all.allSatisfy { isProduct($0.key) }
      && tables.failures.counts.keys.allSatisfy {
        $0.type.code < plan.history.types.names.count && $0.code < names.codes.count
      }
      && tables.states.users.count == UserState.allCases.count
      && isFit(tables.funnels) && isFit(tables.attributes)
  }

  private func isFit(_ tally: PaymentTally) -> Bool {
    tally.blocks.allSatisfy { block in
      (0..<PaymentTally.blockCount).contains(block.number)
        && block.products.all.allSatisfy { isProduct($0.key.product) }
    }
  }

  private func isFit(_ tally: FunnelTally) -> Bool {
    let funnels = plan.tables.funnels
    return tally.counts.count == funnels.count
      && zip(tally.counts, funnels).allSatisfy { counts, funnel in
        counts.users.count == funnel.steps.count && counts.split.count == funnel.steps.count
      }
  }

  private func isFit(_ tally: AttributeTally) -> Bool {
    let values = plan.tables.details.values
    return tally.sums.count == values.count && tally.several.count == values.count
      && zip(tally.sums, values).allSatisfy { sums, values in
        sums.keys.allSatisfy { $0 == Interner.none || $0 < values.count }
      }
  }

  // MARK: - Changes

  private func isFit(_ changes: ChangeSums) -> Bool {
    let width = plan.changes?.metrics.count ?? 0
    return changes.width == width
      && changes.groups.allSatisfy { key, metrics in
        isKnown(key) && metrics.count == width
          && metrics.allSatisfy { $0.since.count == ChangePart.ofUsers.count }
      }
  }
}
