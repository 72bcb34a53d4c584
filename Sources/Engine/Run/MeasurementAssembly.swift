import Domain
import Jobs
import Measurement
import Platform

/// Makes a run's outcome of what its events came to, wherever they were attributed.
struct MeasurementAssembly {
  let job: Job
  let cutoff: Instant
  let threads: Int
  let reference: ReferenceTables
  /// Knows all names, and who stands for whom.
  let roster: Roster
  let plan: MeasurementPlan
  /// When the first user was assigned; nil where nobody was.
  let firstAssignment: Instant?

  /// - Parameters:
  ///   - log: what became of the rows of the purchase logs.
  ///   - assignments: what reading the assignments came to, a file each.
  /// - Throws: `OfferliftError`, exit 65, where rows are missing from an account, an input has more rejects than the job
  ///   allows, or a sum does not fit its bits.
  func outcome(
    _ attributed: AttributedEvents, _ log: LogLedger, assignments: [FileReading], _ assignedIDs: AssignedIDs,
    timings: Timings
  ) throws -> NativeEngine.Outcome {
    let sums = attributed.sums
    var readings = assignments + log.readings + reference.readings
    FileReading.settleSameFiles(&readings)
    let accounts = try Accounting(job: job).checked(readings, late: (log.late, assignments.count))
    if sums.hasOverflowed { throw tooMuchMoney }
    let builder = MeasurementBuilder(roster: roster, job: job, catalog: reference.catalog, plan: plan)
    var measurement = RunMeasurement(
      offerings: try builder.offerings(sums), accounts: accounts.accounts, rejects: accounts.rejects,
      orphanRefunds: sums.tally.orphanRefunds,
      daily: DailyHistory(of: CountedNights(sums.daily, plan.nights, builder, threads: threads)),
      freshness: log.days.freshness(before: cutoff),
      oddPrices: reference.oddPrices(sums.oddPrices, products: plan.history.facts),
      outside: attributed.outside.rows(names: roster.names),
      userIDs: UserIDSpellings(log.unassigned, unassignedInHistory: sums.tally.unassignedPurchases, assignedIDs),
      firstAssignment: firstAssignment)
    measurement.changes = try builder.changes(sums.changes, plan.changes)
    measurement.lateFiles = LateFile.all(
      in: sums.changes, assignments: (job.population == .logged ? log.readings : assignments).map(\.account),
      logs: log.readings.map(\.account))
    measurement.isCommissionReported =
      reference.products.reportsCommission || job.purchases.contains(where: \.format.reportsCommission)
    measurement.salesLocations = SalesLocations(
      areOfWeb: job.purchases.filter(\.format.reportsCharges).map(\.format.isOfWeb))
    measurement.moneyCounts = sums.tally.money
    measurement.reportedTwice = sums.tally.reportedTwice.named(
      of: job, products: plan.history.facts, feeds: plan.history.feeds, logs: log.readings.map(\.account))
    measurement.drainCounts(of: assignments + log.readings)
    measurement.drainCards(of: reference)
    measurement.notices =
      readings.compactMap(\.sameFileNotice)
      + reference.catalog.notices(job: job, measured: measurement.offerings)
      + reference.notices(
        products: plan.history.facts, unknownKinds: Set(sums.tally.unknownKinds.keys),
        unknownPeriods: Set(sums.unknownPeriods.keys))
      + [sums.unknownTrials.notice(products: plan.history.facts)].compactMap(\.self)
      + roster.identities.notices
      + FileNotes(of: readings).notices
    return NativeEngine.Outcome(
      measurement: measurement, metrics: plan.metrics.map(\.measured), timings: timings,
      warnings: readings.compactMap(\.warning))
  }

  private var tooMuchMoney: OfferliftError {
    OfferliftError(
      .badData,
      "a charge is more than 9223372036854.775807 \(job.currency) once converted; look for a price or a rate that is far too large."
    )
  }
}

extension RunMeasurement {
  /// Takes what the catalog says that groups show.
  fileprivate mutating func drainCards(of reference: ReferenceTables) {
    for index in offerings.indices { offerings[index].cards = reference.cards(of: offerings[index].id) }
  }

  /// Takes what was counted of each file beside its rows.
  fileprivate mutating func drainCounts(of readings: [FileReading]) {
    for reading in readings {
      offeringCalls.merge(reading.calls)
      earlyTimes[reading.account.input, default: EarlyTimes()].merge(reading.earlyTimes)
    }
  }
}

extension UserIDSpellings {
  /// - Parameter unassigned: purchases of users without an assignment that were found with their users' histories.
  fileprivate init(_ found: UnassignedPurchases, unassignedInHistory unassigned: Int, _ assigned: AssignedIDs) {
    self.init()
    purchases = found.purchases
    unassignedPurchases = found.unassigned + unassigned
    assignedUsers = assigned.users
    self.assigned = assigned.sample.all
    self.unassigned = found.sample.all
    lookalikes = self.unassigned.compactMap { id in
      assigned.lookalikes[id].map {
        Lookalike(unassigned: id, assigned: $0, difference: UserIDDifference(id, $0))
      }
    }
  }
}

extension FileNotes {
  fileprivate init(of readings: [FileReading]) {
    self = readings.reduce(into: FileNotes()) { $0.merge($1.notes) }
  }
}
