import Domain

/// How the calls for an offering went, whoever called: counted before anybody's events are.
package struct OfferingCalls: Sendable, Codable, Equatable {
  /// By what came of them; only the four outcomes of such calls.
  package private(set) var counts: [APIEventType: Int] = [:]

  package init() {}

  package var total: Int { counts.values.reduce(0, +) }

  package func count(_ outcome: APIEventType) -> Int { counts[outcome] ?? 0 }

  package mutating func add(_ outcome: APIEventType) { counts[outcome, default: 0] += 1 }

  package mutating func merge(_ other: OfferingCalls) { counts.merge(other.counts, uniquingKeysWith: +) }
}
