import Analysis
import Domain
import Measurement

/// One offering's part of a story's source: its rows, and the order of its groups and metrics in every figure.
struct OfferingSource {
  let offering: Identifier
  /// The reporting currency.
  let currency: String
  /// The baseline first, then by name.
  let groups: [StoryGroup]
  /// The one that leads the verdict, the other primary ones, then those that are compared, each in natural order: 7d
  /// before 14d.
  let metrics: [StoryMetric]
  /// The metric that leads the verdict; nil where nothing says which.
  let lead: Identifier?
  private let source: StorySource

  /// - Parameter lead: the metric that leads the verdict; nil where nothing tells which.
  init(_ offering: Identifier, lead: Identifier?, of source: StorySource, units: [Identifier: Unit]) {
    self.offering = offering
    self.source = source
    self.lead = lead
    currency = source.head.currency
    let values = source.rows(of: GroupMetricsTable(), offering: offering)
    let comparisons = source.rows(of: ComparisonsTable(), offering: offering)
    let states = source.rows(of: StatesTable(), offering: offering)
    groups = Self.groups(values, states)
    metrics = Self.metrics(lead, values, comparisons, units, source.wordings)
  }

  /// The offering's rows of a table: the baseline's first, then by group, each group's by the table's keys.
  func rows<Columns: GroupColumns>(of table: Columns) -> [Table.Row<Columns>] {
    let own = Dictionary(grouping: source.rows(of: table, offering: offering)) { group($0.group) }
    return own.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// The offering's rows of a table that has no groups, by the table's keys.
  func ownRows<Columns: ResultTable>(of table: Columns) -> [Table.Row<Columns>] {
    source.rows(of: table, offering: offering)
  }

  /// Whether a check says something of the run, or of any offering.
  func hasCheck(_ name: String) -> Bool { source.checks.contains(name) }

  /// All rows of a table, also of other offerings and of none.
  func allRows<Columns: ResultTable>(of table: Columns) -> [Table.Row<Columns>] { source.rows(of: table) }

  /// How long after a funnel's first step the later ones may come; nil: any time, or not known.
  func window(ofFunnel name: Identifier) -> Int64? {
    source.head.funnelWindows?.first { $0.funnel == name.text }?.milliseconds
  }

  /// The group of a name.
  func group(_ name: Identifier) -> StoryGroup {
    groups.first { $0.name == name } ?? StoryGroup(name: name, position: groups.count)
  }

  /// The metric of an id.
  func metric(_ name: Identifier) -> StoryMetric {
    metrics.first { $0.name == name }
      ?? StoryMetric(
        name: name, wording: MetricWording(name.text), unit: .plain, isPrimary: false, position: metrics.count)
  }

  /// What the store keeps is told.
  var isCommissionReported: Bool { source.head.isCommissionTold ?? true }

  /// A sum of millionths of the reporting currency.
  func money(_ micros: Int128?) -> Money? { micros.map { Money(micros: $0, currency: currency) } }

  private static func groups(
    _ values: [Table.Row<GroupMetricsTable>], _ states: [Table.Row<StatesTable>]
  ) -> [StoryGroup] {
    let baselines = Set(values.filter { $0.isBaseline == true }.map(\.group))
    let others = Set(values.map(\.group) + states.map(\.group)).subtracting(baselines)
    return (baselines.sorted() + others.sorted()).enumerated().map { StoryGroup(name: $1, position: $0) }
  }

  private static func metrics(
    _ lead: Identifier?, _ values: [Table.Row<GroupMetricsTable>], _ comparisons: [Table.Row<ComparisonsTable>],
    _ units: [Identifier: Unit], _ wordings: [Identifier: MetricWording]
  ) -> [StoryMetric] {
    let primary = Set(comparisons.filter { $0.isPrimary == true }.map(\.metric))
    let compared = Set(comparisons.map(\.metric)).subtracting(primary)
    let rest = Set(values.map(\.metric)).subtracting(primary).subtracting(compared)
    let named = [primary, compared, rest].flatMap { $0.sorted { $0.naturallyPrecedes($1) } }
    let inOrder = named.filter { $0 == lead } + named.filter { $0 != lead }
    return inOrder.enumerated().map { position, name in
      StoryMetric(
        name: name, wording: wordings[name] ?? MetricWording(name.text), unit: units[name] ?? .plain,
        isPrimary: primary.contains(name), position: position)
    }
  }
}

/// A group of an offering; the baseline comes first, then the others by name.
struct StoryGroup: Hashable, Comparable {
  let name: Identifier
  /// From 0, the baseline's.
  let position: Int

  var text: String { name.text }
  /// As `Identifier.inWords`.
  var inWords: String { name.inWords }

  static func < (left: Self, right: Self) -> Bool { (left.position, left.name) < (right.position, right.name) }
}

/// A metric as the story tells it; primary ones come first.
struct StoryMetric: Hashable, Comparable {
  /// The metric's id.
  let name: Identifier
  let wording: MetricWording
  let unit: Unit
  let isPrimary: Bool
  /// From 0.
  let position: Int

  var text: String { name.text }

  /// What people call it, `Net revenue per user, 30 days`.
  var label: String { wording.label }

  static func < (left: Self, right: Self) -> Bool { (left.position, left.name) < (right.position, right.name) }
}
