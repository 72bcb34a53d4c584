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
  /// The column that says which group, as its file calls it.
  let groupColumn: String
  /// Groups are numbers, where the server's own table has row ids of its catalog.
  let namesRows: Bool

  /// - Parameters:
  ///   - columns: the table, all that is needed found.
  ///   - terms: what whoever asked says of the clock.
  init(_ path: String, _ columns: ColumnGuess, _ terms: PurchasesGuess.Terms) {
    let sample = columns.sample
    look = sample.words
    groupColumn = columns.found[ColumnRole.group.field]?.value ?? ""
    namesRows = Self.namesRows(columns)
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
    remarks += input.acceptTimes(of: columns.found[ColumnRole.assignedAt.field], sample, terms)
    acceptAttributes(columns)
    skipUngrouped(columns)
  }

  private static func namesRows(_ columns: ColumnGuess) -> Bool {
    guard let group = columns.found[ColumnRole.group.field]?.value else { return false }
    let isServers = ["offeringgroupid", "subscriptionofferinggroupid"].contains(ColumnRole.plain(group))
    return (isServers || HeaderlessTable.isAssignments(columns.sample)) && columns.values(group).areWhole
  }

  /// From this share of rows without a group on they are no accident, but rows of something else.
  private static let manyUngrouped = 0.01

  /// A log of all events tells only in some of them who is in which group.
  private mutating func skipUngrouped(_ columns: ColumnGuess) {
    guard let group = columns.found[ColumnRole.group.field]?.value, columns.sample.table != .mysql else { return }
    let reported = columns.sample.column(group)
    let missing = reported.count { $0?.isEmpty ?? true }
    guard missing < reported.count, Double(missing) > Self.manyUngrouped * Double(reported.count) else { return }
    input.skipped = [SkipRule(column: group, matches: [.nothing])]
    let words = "\(Phrase.count(missing)) of \(Phrase.count(reported.count, "row")) looked at have no group"
    remarks.append(Remark("skip_where", "rows without \"\(group)\"", Guess(group, .likely, words)))
  }

  /// What every table must tell.
  static let needed = [ColumnRole.user, .group, .assignedAt]

  /// Offering and group are row ids of the catalog.
  mutating func acceptCatalogKeys() {
    input.usesCatalogKeys = true
    remarks.append(Remark("keys", "catalog", Guess(0, .certain, "every group is the id of a row of the catalog's")))
  }

  /// What to type for the names of groups that are row ids; nil where they are none, or the catalog is known.
  package var missingCatalog: String? {
    guard namesRows, !input.usesCatalogKeys else { return nil }
    return "\"\(groupColumn)\" of \(input.path) holds row ids of the server's catalog. Its tables say what groups are "
      + "called and what they sell: type init again with \(CatalogGuess.typed) --force."
  }

  /// Says of which test all rows are.
  package mutating func name(offering: String) { input.defaults["offering"] = offering }

  private mutating func bind(_ field: String, _ guess: Guess<String>) {
    if field != guess.value { input.columns[field] = guess.value }
    remarks.append(Remark(field, "column \"\(guess.value)\"", guess))
  }

  private mutating func acceptAttributes(_ columns: ColumnGuess) {
    input.attributes = columns.free.filter { name in
      let values = columns.values(name)
      return ColumnRole.attributeNames.contains(ColumnRole.plain(name)) && !values.areAllEqual
        && values.areFew
    }
  }
}

extension TableInput {
  /// Takes the way that a column of times is written in.
  ///
  /// - Parameter terms: what whoever asked says of the clock.
  mutating func acceptTimes(
    of column: Guess<String>?, _ sample: FileSample, _ terms: PurchasesGuess.Terms
  ) -> [Remark] {
    let name = column?.value ?? ""
    let zone = ZoneGuess.zone(name, reported: terms.zone)
    let values = sample.values(of: name).filter { !$0.isEmpty }
    guard let guess = TimeGuess.best(values, zone: zone.value, order: terms.dates)?.doubted(by: column) else {
      return []
    }
    timeFormat = guess.value.format
    timeUnit = guess.value.unit
    let format = timeFormat?.text ?? (timeUnit == .seconds ? "as they stand" : timeUnit.rawValue)
    let times = Remark("times", format, guess)
    guard !guess.value.reportsOffset else { return [times] }
    timezone = zone.value
    return [times, Remark("timezone", zone.value == .gmt ? "UTC" : zone.value.identifier, zone)]
  }
}
