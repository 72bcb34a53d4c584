import Jobs

/// Everybody in a story, and the rows that each output tells of them.
struct StoryCast: Sendable {
  /// By output, by shard, in order of time.
  var rows: [[[StoryEvent]]]
  var count: StoryCount
  /// By output.
  var accounts: [Account]

  struct Account: Sendable {
    var rows = 0
    var dirt: [StoryDirt: Int] = [:]
    /// Rows that a reader must set aside, by reason; of a fact that two outputs tell, the later one's.
    var setAside: [String: Int] = [:]
  }

  private static let runs = 64

  /// Lives through the story; what comes out does not depend on the threads.
  init(of context: StoryContext, _ formats: [any StoryFormat]) throws {
    let scenario = context.scenario
    let total = scenario.users + Int(scenario.oldClients.of(Int64(scenario.users)))
    let runs = try SideBySide.map(Self.runs) { run in
      let users = total * run / Self.runs..<total * (run + 1) / Self.runs
      return StoryCast(of: context, formats, users: users)
    }
    self.init(empty: context)
    for run in runs { add(run) }
    for output in rows.indices {
      for shard in rows[output].indices { rows[output][shard].sort(by: StoryEvent.inLogOrder) }
    }
  }

  private init(empty context: StoryContext) {
    rows = context.story.outputs.map { Array(repeating: [], count: $0.shards) }
    accounts = context.story.outputs.map { _ in Account() }
    count = StoryCount(context.scenario, context.story)
  }

  private init(of context: StoryContext, _ formats: [any StoryFormat], users: Range<Int>) {
    self.init(empty: context)
    for user in users {
      let life = StoryLife(of: Person(user, in: context.scenario), in: context)
      count.add(life)
      var facts = ReportedFacts(isLeftOut: life.person.assignmentDirt == .twoGroups || life.measuredFrom == nil)
      for (index, format) in formats.enumerated() {
        var reporter = StoryWriter(life, context.story.outputs[index], format, index)
        for (row, shard) in reporter.rows() {
          rows[index][shard].append(row)
          accounts[index].rows += 1
          if row.dirt != .none { accounts[index].dirt[row.dirt, default: 0] += 1 }
          let isMeasured = format.isMeasured(row)
          if let reason = facts.reason(row, of: life.person, context.story.outputs[index].format, isMeasured) {
            accounts[index].setAside[reason, default: 0] += 1
          }
        }
      }
    }
  }

  private mutating func add(_ other: StoryCast) {
    for output in rows.indices {
      for shard in rows[output].indices { rows[output][shard] += other.rows[output][shard] }
      accounts[output].rows += other.accounts[output].rows
      accounts[output].dirt.merge(other.accounts[output].dirt, uniquingKeysWith: +)
      accounts[output].setAside.merge(other.accounts[output].setAside, uniquingKeysWith: +)
    }
    count.add(other.count)
  }
}

/// The facts that rows of one user have stated so far: one that states a fact again is a duplicate.
private struct ReportedFacts {
  /// Nothing of the user is measured.
  let isLeftOut: Bool
  private var reported: Set<String> = []

  init(isLeftOut: Bool) { self.isLeftOut = isLeftOut }

  /// The first reason that applies to the row, in the order a reader goes through them; nil: it is used.
  mutating func reason(
    _ row: StoryEvent, of person: Person, _ format: Story.Format, _ isMeasured: Bool
  ) -> String? {
    if let reason = row.dirt.reason { return reason }
    if row.isNothing { return "skipped" }
    if !isMeasured { return StoryDirt.notMeasured.reason }
    if format == .apiLog, row.code == "21007" { return "sandbox" }
    // A call that the server could not tell the user of is counted, and is nobody's.
    if format == .apiLog, row.type == "auth_invalid" { return StoryDirt.notMeasured.reason }
    if row.type == "transfer" { return nil }
    if person.isOldClient { return "unassigned" }
    if isLeftOut { return "excluded_user" }
    if let accepted = row.reversal, format == .revenueCatExport || format == .googlePlayOrders {
      reported.insert(refund(row.charge, accepted.micros))
    }
    return reported.insert(fact(row, format)).inserted ? nil : "duplicate"
  }

  /// What is taken back of a charge is the same whichever feed says so, be it in a charge's own row.
  private func refund(_ charge: Int, _ micros: Int64) -> String { "refund \(charge) \(micros)" }

  /// What a store tells is the same in every feed, everything else in its own only.
  private func fact(_ row: StoryEvent, _ format: Story.Format) -> String {
    if format == .googlePlaySubscriptions, row.isStanding {
      let end = (row.type == "billing_retry" ? row.graceEnd : row.end)?.rfc3339 ?? "open"
      return "standing \(row.firstOfPlan) \(row.renewal) \(end)"
    }
    if row.isCharge { return "charge \(row.charge)" }
    if row.type == "refund" { return refund(row.charge, row.amountMicros ?? row.priceMicros) }
    return row.isOfStore ? "\(row.type) \(row.ordinal)" : "\(format.rawValue) \(row.ordinal)"
  }
}

extension StoryEvent {
  /// Google Play answers how the subscription stands, and not what has happened to it.
  fileprivate var isStanding: Bool { type == "billing_retry" ? graceEnd != nil : type != "cancel" && type != "expire" }
}

/// Chooses the rows by which one output states one life, faulty ones among them.
private struct StoryWriter {
  let life: StoryLife
  let output: Story.Output
  let format: any StoryFormat
  private var draws: SeededGenerator

  init(_ life: StoryLife, _ output: Story.Output, _ format: any StoryFormat, _ index: Int) {
    self.life = life
    self.output = output
    self.format = format
    draws = SeededGenerator(
      seed: life.scenario.seed, stream: .report, index: UInt64(index) << 40 | UInt64(life.person.user))
  }

  mutating func rows() -> [(StoryEvent, shard: Int)] {
    guard output.users.include(life.person.user, of: life.scenario) else { return [] }
    var rows: [(StoryEvent, shard: Int)] = []
    for event in life.events where isReported(event) {
      var event = event
      if let accepted = event.reversal, accepted.time >= output.until { event.reversal = nil }
      let dirt = output.dirt.value(at: draws.part()) ?? .none
      if dirt == .groupMismatch, let group = event.group, format.canSpoil(event, by: dirt) {
        event.group = UInt8((Int(group) + 1) % life.scenario.groups.count)
        event.dirt = .groupMismatch
      }
      rows.append((event, shard()))
      if let spoilt = spoilt(event, by: dirt) { rows.append((spoilt, shard())) }
    }
    if output.isOfEverybody, rows.isEmpty {
      let person = life.person
      rows.append((StoryEvent(time: person.assignedAt, user: person.user, ordinal: 0, type: ""), shard()))
    }
    return rows
  }

  private func isReported(_ event: StoryEvent) -> Bool {
    let reporters = event.step.map { life.story.steps[$0].reporters } ?? []
    return event.time >= output.from && event.time < output.until
      && (output.only.isEmpty || output.only.contains(event.type))
      && (reporters.isEmpty || reporters.contains(output.format)) && format.reports(event)
      && (!event.isOwnTrial || output.format.isOfApp)
  }

  private mutating func shard() -> Int { Int(draws.below(UInt64(output.shards))) }

  private mutating func spoilt(_ event: StoryEvent, by dirt: StoryDirt) -> StoryEvent? {
    guard dirt != .none, dirt != .groupMismatch, !dirt.needsCharge || event.isCharge, format.canSpoil(event, by: dirt)
    else { return nil }
    var row = event
    row.dirt = dirt
    if dirt.isOwnEvent {
      row.ordinal += StoryEvent.ownNumber
      row.charge += StoryEvent.ownNumber
      row.firstCharge = row.charge
      row.reversal = nil
    }
    switch dirt {
    case .afterCutoff:
      row.time.milliseconds = life.scenario.until.milliseconds + draws.within(1...172_800) * 1000
      row.chargedAt = row.isCharge || row.type == "trial_start" ? row.time : row.chargedAt
    case .orphanRefund:
      row.type = "refund"
      row.firstOfPlan = row.charge
    case .olderSnapshot where row.reversal == nil: return nil
    case .olderSnapshot: row.reversal = nil
    default: break
    }
    return row
  }
}
