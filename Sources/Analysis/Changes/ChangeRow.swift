import Domain
import Measurement

/// One part of the way from the previous night's value of a metric to tonight's.
package struct ChangeRow: Sendable, Hashable {
  /// Everybody of a group.
  package var key: CellKey
  package var kind: ResultKind
  package var isMoney: Bool
  /// The date of the previous night, and its cut-off.
  package var previousNight: String
  package var previousAsOf: Instant
  package var part: ChangePart
  /// What the part added to users and sums, less than nothing where it took away; nil of a metric that has none.
  package var sums: SufficientSums?
  /// How far the part moved the value, in millionths; nil where either night has no value.
  package var valueMicros: Int128?
  /// The value on the previous night and tonight, in millionths, each rounded; nil where there is none.
  package var before: Int128?
  package var now: Int128?

  /// Of a ratio the change of Σx, else that of n.
  package var denominator: Int128? { sums.map { kind == .ratio ? $0.x : $0.n } }

  /// Whether the part changed anything.
  package var isNothing: Bool { sums.map { $0 == .none } ?? (valueMicros == 0) }
}
