import Domain
import Engine

/// What a purchase log tells before anybody's group is looked up: when its events came, and in which currencies its
/// charges are.
package struct LogSurvey: EventSink {
  /// From the first event to the last; nil where there is none.
  package private(set) var span: ClosedRange<Instant>?
  /// How many events of each type there are.
  package private(set) var types: [EventType: Int] = [:]
  /// The groups that events are logged with.
  private var logged = GroupsSeen()
  private var found: [Currency: CurrencySurvey] = [:]
  private let tables: ReferenceTables?

  /// - Parameter tables: those that the job's exchange rates are among; nil where they cannot be read.
  package init(rates tables: ReferenceTables?) {
    self.tables = tables
  }

  /// The groups that events are logged with, by offering.
  package func groups(_ names: EventNames) -> [Identifier: Set<Identifier>] { logged.groups(names) }

  /// The currencies of charges, in order of their codes.
  package var currencies: [CurrencySurvey] { found.values.sorted { $0.currency.text < $1.currency.text } }

  package mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    guard event.mayCount else { return }
    let time = Instant(milliseconds: event.time)
    span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    types[event.type, default: 0] += 1
    if event.loggedOffering != Interner.none, event.loggedGroup != Interner.none {
      logged.see(offering: event.loggedOffering, group: event.loggedGroup)
    }
    guard event.type.isCharge else { return }
    let hasRate = tables?.hasRate(of: event.currency, day: time.utcDay) ?? false
    found[event.currency, default: CurrencySurvey(currency: event.currency)].add(day: time.utcDay, hasRate: hasRate)
  }

  package mutating func finishBatch() {}
  package mutating func abandonFile() {}
  package mutating func finishFile() {}
}

/// The charges of one currency.
package struct CurrencySurvey: Sendable {
  package let currency: Currency
  package private(set) var charges = 0
  /// Those for whose day there is no rate.
  package private(set) var withoutRate = 0
  private var gap: ClosedRange<Int64>?

  init(currency: Currency) {
    self.currency = currency
  }

  /// The first and the last day without a rate; the beginning of 1970 where all have one.
  package var firstGap: CivilDate { CivilDate(day: gap?.lowerBound ?? 0) }
  package var lastGap: CivilDate { CivilDate(day: gap?.upperBound ?? 0) }

  fileprivate mutating func add(day: Int64, hasRate: Bool) {
    charges += 1
    guard !hasRate else { return }
    withoutRate += 1
    gap = gap.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
  }
}
