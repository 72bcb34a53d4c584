import Domain
import Engine
import Foundation
import Jobs

/// What the product's own readers find in recognised files.
package struct InputSurvey {
  /// The groups of each offering, by name.
  package private(set) var groups: [String: [String]] = [:]
  /// From the first assignment to the last; nil where there is none.
  package private(set) var assigned: ClosedRange<Instant>?
  /// From the first event to the last; nil where there is none.
  package private(set) var happened: ClosedRange<Instant>?
  /// How many events of each type there are, of those that some row tells.
  package private(set) var events: [String: Int] = [:]
  /// The currencies of charges, that of most charges first.
  package private(set) var currencies: [(code: String, charges: Int)] = []

  /// The catalog says which product is the default of a group.
  package private(set) var reportsDefaults = false
  /// How many of the logs tell trials: an app's own may be followed by the store's.
  package private(set) var logsOfTrials = 0
  /// The table of products says how many credits a charge grants.
  package private(set) var grantsCredits = false

  private let job: Job

  init(job file: URL) {
    job = Job(name: "", file: file)
  }

  /// Some row tells a charge that counts.
  package var reportsCharges: Bool { !currencies.isEmpty }

  /// - Parameter carried: the types of events that the job names.
  /// - Throws: as `PurchaseLog.read` and `AssignmentTable.read`.
  mutating func read(
    _ assignments: [TableInput], _ purchases: [PurchaseInput], carrying carried: [String], catalog: Catalog,
    products: TableInput?
  ) throws {
    reportsDefaults = catalog.reportsDefaults
    // What is wrong with the table, the check of the job says.
    grantsCredits = products.flatMap { try? Products.read($0, job: job) }?.0.grantsCredits ?? false
    let roster = Roster(names: EventNames(), attributes: [])
    for input in assignments {
      let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: .max, roster: roster)
      for (number, file) in try input.files(relativeTo: job.file).enumerated() {
        _ = try table.read(file, number: number)
      }
    }
    if let first = roster.firstAssignment, let last = roster.lastAssignment { assigned = first...last }
    let types = EventTypes(named: purchases.flatMap(\.format.eventTypes) + carried)
    var log = LogSurvey(rates: nil)
    for input in purchases {
      let trials = types.type(named: "trial_start").flatMap { log.types[$0] } ?? 0
      defer { if types.type(named: "trial_start").flatMap({ log.types[$0] }) ?? 0 > trials { logsOfTrials += 1 } }
      let reader = try PurchaseLog(input, of: job, types: types, names: roster.names)
      for file in try input.table.files(relativeTo: job.file) {
        _ = try reader.read(file, into: &log)
      }
    }
    accept(assignments.isEmpty ? log.groups(roster.names) : roster.groups(toMeasureBy: job, catalog: catalog))
    happened = log.span
    if assignments.isEmpty { assigned = log.span }
    events = Dictionary(uniqueKeysWithValues: log.types.map { (types.names[Int($0.key.code)].text, $0.value) })
    currencies = log.currencies.map { ($0.currency.text, $0.charges) }.sorted {
      ($1.charges, $0.code) < ($0.charges, $1.code)
    }
  }

  private mutating func accept(_ found: [Identifier: Set<Identifier>]) {
    groups = Dictionary(
      found.map { ($0.key.text, $0.value.sorted().map(\.text)) }, uniquingKeysWith: { one, _ in one })
  }

  /// The last instant that anything tells of.
  package var last: Instant? { [assigned?.upperBound, happened?.upperBound].compactMap(\.self).max() }
}

extension Instant {
  /// Behind everything that happens.
  fileprivate static var max: Instant { Instant(milliseconds: TimeText.latest) }
}
