import Domain
import Measurement

/// A group with what was counted of it beside the metrics.
package struct CountedGroup: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var tables: GroupTables
}

/// One of the things that are counted of a group, as a table's row.
package struct CountedRow<Counted: Sendable>: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var counted: Counted

  package init(of group: CountedGroup, _ counted: Counted) {
    offering = group.offering
    self.group = group.group
    self.counted = counted
  }
}
