import Domain

/// When the purchase logs' events before the cut-off came, whatever became of them.
package struct Freshness: Sendable {
  /// The latest event before the cut-off; nil where there is none.
  package var lastEvent: Instant?
  /// UTC days, as days since 1970, between the first event and the cut-off that have no event at all.
  package var daysWithoutEvents: [Int64] = []

  package init(lastEvent: Instant? = nil, daysWithoutEvents: [Int64] = []) {
    self.lastEvent = lastEvent
    self.daysWithoutEvents = daysWithoutEvents
  }
}
