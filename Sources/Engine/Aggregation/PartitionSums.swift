/// What one partition of users comes to; partitions are merged by exact addition, in any order.
struct PartitionSums: Tally {
  var groups: [GroupKey: GroupAccumulator] = [:]
  var offerings: [UInt32: OfferingTally] = [:]
  var tally: EventTally
  var oddPrices = PriceMismatches()
  /// Products that give access at the cut-off and whose period nothing tells, where that leaves an end or a metric open.
  var unknownPeriods: [UInt32: Int] = [:]
  var unknownTrials = UnknownTrials()
  var daily: DailySums
  var changes: ChangeSums
  /// Money that does not fit 64 bits of micros.
  var hasOverflowed = false

  static let parts: [TallyPart<Self>] = [
    TallyPart("groups", \.groups) { $1.knows($0) }, TallyPart("offerings", \.offerings) { $1.knows(offering: $0) },
    TallyPart(\.tally), TallyPart(\.oddPrices), TallyPart("products", \.unknownPeriods) { $1.knows(product: $0) },
    TallyPart(\.unknownTrials), TallyPart(\.daily), TallyPart(\.changes), TallyPart(\.hasOverflowed),
  ]

  init(_ shape: SumsShape) {
    tally = EventTally(files: shape.files)
    daily = DailySums(nights: shape.nights, metrics: shape.metrics)
    changes = ChangeSums(metrics: shape.followedMetrics)
  }
}
