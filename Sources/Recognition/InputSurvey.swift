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
  /// The types of events that some row tells.
  package private(set) var eventTypes: Set<String> = []
  /// The currencies of charges, that of most charges first.
  package private(set) var currencies: [(code: String, charges: Int)] = []

  private let job: Job

  init(job file: URL) {
    job = Job(name: "", file: file)
  }

  /// - Throws: as `PurchaseLog.read` and `AssignmentTable.read`.
  mutating func read(_ assignments: [TableInput], _ purchases: [PurchaseInput]) throws {
    let roster = Roster(names: EventNames(), attributes: [])
    for input in assignments {
      let table = AssignmentTable(input: input, job: job, catalog: Catalog(), cutoff: .max, roster: roster)
      for (number, file) in try input.files(relativeTo: job.file).enumerated() {
        _ = try table.read(file, number: number)
      }
    }
    if let first = roster.firstAssignment, let last = roster.lastAssignment { assigned = first...last }
    let types = EventTypes(named: purchases.flatMap(\.format.eventTypes))
    var log = LogSurvey(rates: nil)
    for input in purchases {
      let reader = try PurchaseLog(input, of: job, types: types, names: roster.names)
      for file in try input.table.files(relativeTo: job.file) {
        _ = try reader.read(file, into: &log)
      }
    }
    take(assignments.isEmpty ? log.groups(roster.names) : roster.groups(toMeasureBy: job, catalog: Catalog()))
    happened = log.span
    if assignments.isEmpty { assigned = log.span }
    eventTypes = Set(log.types.keys.map { types.names[Int($0.code)].text })
    currencies = log.currencies.map { ($0.currency.text, $0.charges) }.sorted {
      ($1.charges, $0.code) < ($0.charges, $1.code)
    }
  }

  private mutating func take(_ found: [Identifier: Set<Identifier>]) {
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
