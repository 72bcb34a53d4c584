import Domain

/// What runs with earlier cut-offs would have counted: the ends of the UTC days since the first assignment.
///
/// A night's sums are made when they are asked for, from those of the night before and what changed, and a bounded
/// number of nights at a time: however many nights, groups and metrics there are, memory holds what changed. Where every metric's
/// windows are over, the nights end with them, or with the last refund after them: later ones would say the same again.
package struct DailyHistory: Sendable {
  private let source: Source

  private enum Source: Sendable {
    case known([DailyMeasurement])
    case counted(any NightSource)
  }

  /// Nights that are known already.
  package init(_ nights: [DailyMeasurement] = []) {
    source = .known(nights)
  }

  /// Nights that are made when they are asked for.
  package init(of source: some NightSource) {
    self.source = .counted(source)
  }

  /// Calls `body` with every night in order: its cut-off, and what `make` makes of each offering at that cut-off, by id.
  ///
  /// Offerings are made side by side on several threads. One that a night changed nothing of is what it was.
  ///
  /// - Throws: what `make` and `body` throw, and `OfferliftError`, exit 65, where a sum does not fit 128 bits.
  package func forEachNight<Made: Sendable>(
    making make: @Sendable (Instant, OfferingMeasurement) throws -> Made, _ body: (Instant, [Made]) throws -> Void
  ) throws {
    switch source {
    case .known(let nights):
      for night in nights { try body(night.asOf, night.offerings.map { try make(night.asOf, $0) }) }
    case .counted(let nights): try nights.forEachNight(making: make, body)
    }
  }

  /// All nights at once, for few.
  ///
  /// - Throws: as `forEachNight`.
  package func nights() throws -> [DailyMeasurement] {
    var nights: [DailyMeasurement] = []
    try forEachNight(making: { $1 }) { nights.append(DailyMeasurement(asOf: $0, offerings: $1)) }
    return nights
  }
}

/// Makes nights of what was counted.
package protocol NightSource: Sendable {
  /// As `DailyHistory.forEachNight`.
  func forEachNight<Made: Sendable>(
    making make: @Sendable (Instant, OfferingMeasurement) throws -> Made, _ body: (Instant, [Made]) throws -> Void
  ) throws
}
