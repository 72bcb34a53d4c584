import Analysis
import Domain
import Measurement

/// What a story is made of: the head of its run, the sums of its input rows, and its tables, whether at hand or read
/// back from the night's folder.
struct StorySource {
  let head: StoryHead
  let inputs: [InputRows]
  private let tables: [String: Table]
  /// The rows of each offering, by the table's name: of thousands of offerings nobody goes through all rows for each.
  private let tablesOfOfferings: [String: [Identifier: Table]]
  /// The checks that say something.
  let checks: Set<String>

  init(head: StoryHead, inputs: [InputRows], tables: [Table]) {
    self.head = head
    self.inputs = inputs
    self.tables = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    tablesOfOfferings = self.tables.mapValues { $0.byOffering }
    checks = Set(self.tables[ChecksTable().name]?.rows(of: ChecksTable()).map(\.check) ?? [])
  }

  /// The source of a run at hand.
  ///
  /// - Parameter tables: those of the night.
  /// - Throws: as `Table.forEachRow`.
  init(of night: NightResult, tables: [Table]) throws {
    // Of `daily` what is told is held, where the whole is too long for that.
    let held = try tables.map { table in
      let isTooLong = table.name == DailyLifts().name && table.rowsAtHand == nil
      return isTooLong ? try DailyLifts().table(of: table) : table
    }
    self.init(head: StoryHead(night), inputs: InputRows.sums(of: night.accounts), tables: held)
  }

  /// The rows of a table, in the order of its keys; none where the night has no such table.
  func rows<Columns: TableColumns>(of table: Columns) -> [Table.Row<Columns>] {
    tables[table.name]?.rows(of: table) ?? []
  }

  /// An offering's rows of a table, in the order of its keys.
  func rows<Columns: TableColumns>(of table: Columns, offering id: Identifier) -> [Table.Row<Columns>] {
    tablesOfOfferings[table.name]?[id]?.rows(of: table) ?? []
  }

  /// The unit of each metric.
  ///
  /// Folders of versions that did not write units into `run.json` tell them by `group_metrics.csv`: of a metric of
  /// money the numerator is an exact sum of money, and what is no money has its unit by its kind.
  var units: [Identifier: Unit] {
    if let units = head.units {
      let pairs = units.map { (Identifier($0.metric), Unit($0.unit, currency: head.currency)) }
      return Dictionary(pairs) { first, _ in first }
    }
    let pairs = rows(of: GroupMetricsTable()).compactMap { row -> (Identifier, Unit)? in
      let isMoney = row.numerator.micros != nil
      guard let kind = ResultKind(rawValue: row.kind) else { return nil }
      return (row.metric, Unit(Unit.Name(kind: kind, isMoney: isMoney), currency: head.currency))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// What is decided in the place of a ratio or curve, by the id of that.
  var decided: [Identifier: Identifier] {
    let pairs = (head.units ?? []).compactMap { metric in
      metric.decidedFor.map { (Identifier($0), Identifier(metric.metric)) }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// How each metric is said, as far as the run's version wrote it.
  var wordings: [Identifier: MetricWording] {
    let pairs = (head.units ?? []).compactMap { metric -> (Identifier, MetricWording)? in
      guard let label = metric.label, let more = metric.more, let less = metric.less else { return nil }
      return (Identifier(metric.metric), MetricWording(label: label, more: more, less: less))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension Table {
  /// The rows of each offering, in their order; none where the rows are not at hand, or none has an offering.
  fileprivate var byOffering: [Identifier: Table] {
    guard let position = columns.firstIndex(where: { $0.name == "offering_id" }), let rowsAtHand else { return [:] }
    return Dictionary(grouping: rowsAtHand) { Identifier($0[position].text) }
      .mapValues { Table(name: name, columns: columns, rows: $0) }
  }
}
