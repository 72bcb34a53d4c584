import Domain
import Foundation
import Jobs
import Measurement
import Platform

/// Leaves a night's sums for the next one, and finds those of the night before, where a job counts each user by rows of its
/// own.
struct NightKeeper {
  private let engine: NativeEngine
  private let store: EventStore
  private let key: String
  private let name: String

  /// To be raised when the same inputs come to other sums than before.
  private static let rules = 2

  /// Nil for runs that begin anew each time: no state is kept, or what is counted of a user may follow from others' rows, or
  /// from what is not looked at here.
  init?(_ engine: NativeEngine) {
    let job = engine.job
    guard engine.followsNights, let store = engine.store, engine.looksBack, engine.rowLimit == nil,
      job.population != .logged,
      job.identities == nil, !job.purchases.contains(where: \.tellsIdentities)
    else { return nil }
    (self.engine, self.store) = (engine, store)
    let facts = [
      "offerlift=\(Product.version)", "program=\(Self.program)", "rules=\(Self.rules)", "job=\(job.file.path)",
      "name=\(job.name)", "counted=\(FileDigest.sha256(job.countedFacts).hexadecimal)",
    ]
    key = facts.joined(separator: "\n")
    name = "\(FileDigest.sha256("\(job.file.path)\n\(job.name)").prefix(16).hexadecimal)"
  }

  /// What tells a program from one that was built otherwise.
  private static let program = FileState("/proc/self/exe").map { "\($0.size) \($0.writtenAt)" } ?? ""

  /// The night that the last run kept, if this one may follow it.
  func night() -> KeptNight? {
    guard let night = readNight(), night.told.cutoff <= engine.cutoff.milliseconds,
      (engine.cutoff.milliseconds - night.told.cutoff) % Instant.millisecondsPerDay == 0
    else { return nil }
    return night
  }

  private func readNight() -> KeptNight? {
    guard let path = store.placeOfNight(name) else { return nil }
    do { return try KeptNight(at: path, key: key) } catch let fault as BlockFault {
      store.warn("\(path) \(fault.words); all users were counted.")
    } catch {
      store.warn("\(error) All users were counted.")
    }
    return nil
  }

  /// Takes why a run could not count on from the night, and everybody is counted.
  ///
  /// - Throws: the error, where the run has to begin anew.
  func note(_ error: any Error) throws {
    switch error {
    case is InputWatch.Changed, is MemoryExceeded, is CancellationError: throw error
    case is KeptNight.Unusable, is Inseparable: break
    default: store.warn("what the last night left cannot be used, and all users were counted: \(error)")
    }
  }

  /// What a run has read beside its events.
  struct Inputs {
    let roster: Roster
    /// When the first user was assigned; nil where nobody was.
    let firstAssignment: Instant?
    let logs: PurchaseLogs
    let assignments: [FileReading]
    let reference: ReferenceTables

    /// Before the roster's memberships are taken.
    init(_ roster: Roster, _ logs: PurchaseLogs, _ assignments: [FileReading], _ reference: ReferenceTables) {
      (self.roster, self.logs, self.assignments, self.reference) = (roster, logs, assignments, reference)
      firstAssignment = roster.firstAssignment
    }
  }

  /// Leaves a night for the next run, as far as all that it read was sound, while this one goes on.
  ///
  /// - Parameters:
  ///   - attributed: what all users came to.
  ///   - counts: by file of the logs, what was counted while it was read.
  ///   - strangers: the purchases, and those of users nobody assigned.
  ///   - sought: who seeks whose charge.
  ///   - unpriced: the rejects for want of an exchange rate, which `attributed` does not hold.
  ///   - readings: of the logs' files.
  func keep(
    _ attributed: AttributedEvents, counts: [EventRouter.Counts], strangers: UnassignedPurchases,
    sought: [SoughtCharge], unpriced: UnpricedRows, of users: KeptUsers, _ plan: MeasurementPlan, _ inputs: Inputs,
    readings: [FileReading]
  ) async {
    await store.keepNight {
      write(
        attributed, counts: counts, strangers: strangers, sought: sought, unpriced: unpriced, of: users, plan, inputs,
        readings: readings)
    }
  }

  private func write(
    _ attributed: AttributedEvents, counts: [EventRouter.Counts], strangers: UnassignedPurchases,
    sought: [SoughtCharge], unpriced: UnpricedRows, of users: KeptUsers, _ plan: MeasurementPlan, _ inputs: Inputs,
    readings: [FileReading]
  ) {
    let roster = inputs.roster
    guard (inputs.assignments + readings).allSatisfy({ $0.isWhole && $0.sameAs == nil }),
      !attributed.sums.hasOverflowed, let first = inputs.firstAssignment,
      let entries = try? entries(of: inputs.logs), let sums = try? attributed.encoded()
    else { return }
    let logs = zip(inputs.logs.files, entries).enumerated().map { number, file in
      KeptNight.Log(
        input: file.0.log.input.table.name, file: file.0.file.displayName, entry: file.1, counts: counts[number])
    }
    let told = KeptNight.Told(
      cutoff: engine.cutoff.milliseconds, firstAssignment: first.milliseconds, nights: plan.nights.count,
      metrics: plan.metrics.count, since: engine.since, logs: logs,
      assignments: inputs.assignments.map { EarlierCount.File($0.account) },
      tables: tables(of: inputs.reference), strangers: strangers,
      chargeValues: Self.chargeValues(plan))
    let night = KeptNight(
      told: told, names: KeptNames(roster.names, values: roster.values), rates: inputs.reference.rates,
      sought: sought, unpriced: unpriced, sums: sums, users: users)
    store.keepNight(name) { file in try night.forEachBlock(key: key) { try file.write($0) } }
  }

  /// The files of tables beside, as they were read. What exchange rates tell of a day is compared day by day.
  func tables(of reference: ReferenceTables) -> [EarlierCount.File] {
    reference.readings.map(\.account).filter { $0.input != engine.job.exchangeRates?.name }.map {
      EarlierCount.File($0)
    }
  }

  /// The names of the logs' entries, by number.
  ///
  /// - Throws: `KeptNight.Unusable` where a file has none.
  func entries(of logs: PurchaseLogs) throws -> [String] { try logs.files.map { try entry(of: $0) } }

  /// The name of a file's entry.
  ///
  /// - Throws: `KeptNight.Unusable` where it has none.
  func entry(of file: PurchaseLogs.File) throws -> String {
    guard let name = try store.entryName(of: file.file, file.log.fingerprint) else { throw KeptNight.Unusable() }
    return name
  }

  /// Values of charges' attributes, whose numbers follow from all of them.
  static func chargeValues(_ plan: MeasurementPlan) -> [[Data]] {
    plan.tables.details.values.map { $0.map { Data($0.utf8) } }
  }
}
