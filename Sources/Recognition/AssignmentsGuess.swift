import Domain
import Engine
import Foundation
import Jobs

/// How a stranger's assignments are to be read.
package struct AssignmentsGuess: Sendable {
  package private(set) var input: TableInput
  /// How the file is written.
  let look: String
  package private(set) var remarks: [Remark] = []
  /// The table has no column of offerings, so the job says which test it is.
  package private(set) var lacksOffering = false

  /// - Parameters:
  ///   - columns: the table, all that is needed found.
  ///   - zone: where times without an offset are local; nil where nobody said.
  init(_ path: String, _ columns: ColumnGuess, zone: TimeZone?) {
    let sample = columns.sample
    look = sample.words
    input = TableInput("assignments", path: path, format: sample.table)
    for role in Self.needed {
      if let guess = columns.found[role.field] { bind(role.field, guess) }
    }
    if let offering = columns.found[ColumnRole.offering.field] {
      bind(ColumnRole.offering.field, offering)
    } else {
      lacksOffering = true
    }
    if sample.table == .mysql {
      let fields = Dictionary(input.columns.map { ($0.value, $0.key) }, uniquingKeysWith: { left, _ in left })
      input.columnOrder = sample.names.map { fields[$0] ?? $0 }
      input.columns = [:]
    }
    remarks += input.takeTimes(of: columns.found[ColumnRole.assignedAt.field], sample, zone: zone)
    takeAttributes(columns)
  }

  /// What every table must tell.
  static let needed = [ColumnRole.user, .group, .assignedAt]

  /// Says of which test all rows are.
  package mutating func name(offering: String) { input.defaults["offering"] = offering }

  private mutating func bind(_ field: String, _ guess: Guess<String>) {
    if field != guess.value { input.columns[field] = guess.value }
    remarks.append(Remark(field, "column \"\(guess.value)\"", guess))
  }

  private mutating func takeAttributes(_ columns: ColumnGuess) {
    input.attributes = columns.free.filter { name in
      let values = columns.sample.values(of: name)
      return ColumnRole.attributeNames.contains(ColumnRole.plain(name)) && Set(values).count > 1
        && ColumnValues(values).areFew
    }
  }
}

extension TableInput {
  /// Takes the way that a column of times is written in.
  ///
  /// - Parameter zone: where times without an offset are local; nil where nobody said.
  mutating func takeTimes(of column: Guess<String>?, _ sample: FileSample, zone: TimeZone?) -> [Remark] {
    let name = column?.value ?? ""
    let zone = ZoneGuess.zone(name, told: zone)
    guard let guess = TimeGuess.best(sample.values(of: name), zone: zone.value)?.doubted(by: column) else { return [] }
    timeFormat = guess.value.format
    timeUnit = guess.value.unit
    let format = timeFormat?.text ?? (timeUnit == .seconds ? "as they stand" : timeUnit.rawValue)
    let times = Remark("times", format, guess)
    guard !guess.value.tellsOffset else { return [times] }
    timezone = zone.value
    return [times, Remark("timezone", zone.value == .gmt ? "UTC" : zone.value.identifier, zone)]
  }
}
