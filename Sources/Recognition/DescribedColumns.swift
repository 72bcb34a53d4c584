import Domain
import Engine

/// Whether what whoever asked says of columns can be.
enum DescribedColumns {
  /// What is typed for the column of a field that a file may lack, and whose column it is not to be.
  static let none = "none"
  private static let dispensable = [ColumnRole.transactionID.field]

  /// The fields that a column can be.
  private static let fields =
    [ColumnRole.user, .offering, .group, .assignedAt].map(\.field) + EventField.allCases.map(\.name)

  /// A sentence for each that cannot, which answers what was typed.
  static func problems(_ reported: [String: String], among samples: [FileSample]) -> [String] {
    reported.sorted { $0.key < $1.key }.compactMap { field, column in
      guard fields.contains(field) else {
        return "--column \(field)=\(column): there is no field \"\(field)\"; \(hint(for: field, among: fields))"
      }
      guard !samples.contains(where: { $0.names.contains(column) }), column != none || !dispensable.contains(field)
      else {
        return nil
      }
      let names = samples.flatMap(\.names).filter { !$0.isEmpty }
      return "--column \(field)=\(column): no file has a column \"\(column)\"; \(hint(for: column, among: names))"
    }
  }
}
