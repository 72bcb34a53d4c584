import Domain
import Statistics

/// What earlier nights have shown, as tonight's data would have had it then: a call that was made stays made.
///
/// Whoever acts on the first day on which a group is shown to be better must not read the next day that nothing is shown. A
/// rule that holds at every look holds at the first one, so that what it decides stays decided, until the opposite is shown,
/// a check fails, or the data of that time changes and no longer decides.
struct ShownBefore: Sendable {
  private var shown: [CellKey: Shown] = [:]
  /// The rule holds at every look, so that what it shows stays shown.
  private var stays = false

  /// What stands since a night.
  private struct Shown: Sendable {
    var decision: Decision
    /// The end of the first night of it.
    var since: Instant
    /// The lift of that night, and its interval that decided.
    var lift: Double?
    var interval: Interval?
    /// The end of the first night on which the opposite was shown before that; nil where it never was.
    var opposite: Instant?
  }

  /// Nothing: by a rule that holds at a single look.
  init() {}

  /// - Parameters:
  ///   - daily: tonight's data at the end of each day.
  ///   - started: when each offering's first user was assigned.
  /// - Throws: as `DailyComparisons.forEachDay`.
  init(
    _ daily: DailyComparisons, before asOf: Instant, started: [Identifier: Instant], settings: AnalysisSettings
  ) throws {
    guard !settings.test.isForOneLook else { return }
    stays = true
    try daily.forEachDay { rows in
      guard let night = rows.first?.asOf, night < asOf else { return }
      var comparisons = rows.map(\.comparison)
      Decisions.decide(&comparisons, untrusted: [], days: WholeDays(started, at: night), settings: settings)
      for row in comparisons { note(row, at: night) }
    }
  }

  private mutating func note(_ row: ComparisonRow, at night: Instant) { shown[row.key] = standing(row, at: night) }

  /// What stands of a comparison by the end of a night; nil where nothing does.
  private func standing(_ row: ComparisonRow, at night: Instant) -> Shown? {
    let before = shown[row.key]
    guard Self.stays(row.decision), before?.decision != row.decision else { return before }
    // A difference that was shown is not taken back because it may be too small to matter.
    if let before, Self.isCall(before.decision), row.decision == .equivalent { return before }
    return Shown(
      decision: row.decision, since: night, lift: row.lift, interval: row.decidedLiftInterval,
      opposite: before.flatMap { Self.areOpposite($0.decision, row.decision) ? $0.since : nil })
  }

  /// Gives each comparison over everybody what was shown before, unless tonight shows something else; where a check has failed
  /// since when it had stood.
  func apply(to rows: inout [ComparisonRow], at asOf: Instant) {
    guard stays else { return }
    for index in rows.indices where rows[index].key.segment == CellKey.everybody && Self.makesCalls(rows[index]) {
      guard rows[index].decision != .doNotTrust else {
        rows[index].distrustedSince = shown[rows[index].key].flatMap { Self.isCall($0.decision) ? $0.since : nil }
        continue
      }
      guard let shown = standing(rows[index], at: asOf) else { continue }
      rows[index].decision = shown.decision
      rows[index].shownSince = shown.since
      rows[index].liftWhenShown = shown.lift
      rows[index].intervalWhenShown = shown.interval
      rows[index].oppositeShown = shown.opposite
    }
  }

  /// A call may rest on it; what is only described says what tonight's data says.
  private static func makesCalls(_ row: ComparisonRow) -> Bool {
    !row.isDescriptive || row.isMoney && row.kind == .mean
  }

  /// What was decided, and not merely left open.
  private static func stays(_ decision: Decision) -> Bool {
    switch decision {
    case .better, .worse, .equivalent, .notWorse: true
    case .doNotTrust, .tooEarly, .maybeWorse, .inconclusive: false
    }
  }

  private static func isCall(_ decision: Decision) -> Bool { decision == .better || decision == .worse }

  private static func areOpposite(_ one: Decision, _ other: Decision) -> Bool {
    one == .better && other == .worse || one == .worse && other == .better
  }
}

/// Whole days since each offering's first assignment.
struct WholeDays: Sendable {
  private let started: [Identifier: Instant]
  private let asOf: Instant

  init(_ started: [Identifier: Instant] = [:], at asOf: Instant = Instant(milliseconds: 0)) {
    (self.started, self.asOf) = (started, asOf)
  }

  /// Nil where nothing says when it began.
  func of(_ offering: Identifier) -> Int? {
    started[offering].map { first in
      Int(max(0, asOf.milliseconds - first.milliseconds) / Instant.millisecondsPerDay)
    }
  }

  /// People buy otherwise at weekends: before so many no group is called better.
  static let needed = 7
}
