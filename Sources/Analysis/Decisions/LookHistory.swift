import Domain
import Statistics

/// When a test was looked at before, from which the number of a look follows.
package struct LookHistory: Sendable {
  /// The cut-offs of the nights that were published before.
  package var earlier: [Instant]
  /// How many looks were planned; nil where nobody has said.
  package var planned: Int?

  package init(earlier: [Instant] = [], planned: Int? = nil) {
    self.earlier = earlier
    self.planned = planned
  }

  /// The look of a night that ends at a cut-off: the first is 1.
  func look(at asOf: Instant) -> Look {
    Look(number: earlier.count { $0 < asOf } + 1, planned: planned)
  }
}
