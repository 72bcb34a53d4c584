import Engine
import Foundation
import Jobs

/// The server's own tables as MySQL dumps them, without a header: known by their files' names, which are the tables'.
enum HeaderlessTable {
  private static let assignments = "user_offering_assignments"
  private static let columns: [(role: ColumnRole, position: Int)] = [(.offering, 3), (.group, 4), (.assignedAt, 5)]

  /// Takes the columns of a dump of the assignments, by their order.
  static func accept(_ columns: inout ColumnGuess) {
    guard isAssignments(columns.sample) else { return }
    for (role, position) in Self.columns where columns.reported[role.field] == nil {
      let column = "column_\(position)"
      guard role.fits(columns.values(column)) else { continue }
      columns.set(role.field, Guess(column, .likely, "by the order of \(assignments)"))
    }
  }

  /// Whether a file is a dump of the server's table of assignments.
  static func isAssignments(_ sample: FileSample) -> Bool {
    sample.table == .mysql && name(sample).hasPrefix(assignments)
  }

  /// Which part of the catalog a dump is; nil where its file's name is none of the tables'.
  static func catalog(_ sample: FileSample) -> CatalogTable? {
    let tables = CatalogTable.allCases.filter { !$0.serverName.isEmpty && name(sample).hasPrefix($0.serverName) }
    let table = tables.max { $0.serverName.count < $1.serverName.count }
    return table.flatMap { $0.columns.count <= sample.names.count ? $0 : nil }
  }

  private static func name(_ sample: FileSample) -> String {
    URL(fileURLWithPath: sample.path).lastPathComponent.lowercased()
  }
}
