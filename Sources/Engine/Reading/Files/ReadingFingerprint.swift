import Domain
import Foundation
import Jobs

/// All that the reading of a file depends on beside the file: what tells whether its rows, once read, are those of
/// another run too.
///
/// It is a text for people, a line a fact. Everything a job says of an input is in it but where its files lie, also
/// what a later version lets a job say: it goes through whatever `PurchaseInput` holds.
struct ReadingFingerprint: Sendable, Hashable {
  let text: String

  /// To be raised when the same bytes become other events than before, or other rejects.
  static let rules = 11

  /// What says where the files lie, and nothing about their rows.
  private static let beside: Set = [
    "table.name", "table.path", "table.line", "table.isOptional", "table.extents", "table.brought",
  ]

  /// - Parameter root: SHA-256 of the certificate that signatures are checked against; nil believes every row.
  init(_ input: PurchaseInput, types: EventTypes, root: [UInt8]?) {
    var lines = [
      "offerlift=\(Product.version)", "rules=\(Self.rules)",
      "event types=\(types.names.dropFirst(EventType.builtIn.count).map { String(reflecting: $0.text) }.joined(separator: ", "))",
    ]
    if let root { lines.append("root=\(root.hexadecimal)") }
    Self.list(input, as: "", to: &lines)
    text = lines.joined(separator: "\n") + "\n"
  }

  /// Of a table of assignments.
  ///
  /// - Parameters:
  ///   - attributes: the names of all attributes that its rows are read for.
  ///   - catalog: what the catalog's ids in it stand for.
  init(_ input: TableInput, attributes: [String], catalog: [String]) {
    var lines = [
      "offerlift=\(Product.version)", "rules=\(Self.rules)", "assignments",
      "attributes=\(attributes.map { String(reflecting: $0) }.joined(separator: ", "))",
    ]
    lines += catalog.map { "group=\(String(reflecting: $0))" }
    // The order in which a job names attributes changes nothing about the rows.
    var input = input
    input.attributes.sort()
    Self.list(input, as: "table", to: &lines)
    text = lines.joined(separator: "\n") + "\n"
  }

  /// Adds a line for each fact in `value`.
  private static func list(_ value: Any, as name: String, to lines: inout [String]) {
    switch value {
    case let format as PurchaseFormat: return lines.append("\(name)=\(format.name)")
    case let zone as TimeZone: return lines.append("\(name)=\(zone.identifier)")
    case let text as String: return lines.append("\(name)=\(String(reflecting: text))")
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let value = mirror.children.first?.value { list(value, as: name, to: &lines) }
    case .dictionary:
      guard let entries = value as? [String: String] else {
        return lines.append("\(name)=\(String(reflecting: value))")
      }
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) { list(value, as: "\(name)[\(key)]", to: &lines) }
    case .struct where !mirror.children.isEmpty:
      for (label, value) in mirror.children {
        let name = name.isEmpty ? label ?? "" : "\(name).\(label ?? "")"
        if !beside.contains(name) { list(value, as: name, to: &lines) }
      }
    case .collection:
      for (number, value) in mirror.children.enumerated() { list(value.value, as: "\(name)[\(number)]", to: &lines) }
    default: lines.append("\(name)=\(String(reflecting: value))")
    }
  }
}

extension ReadingFingerprint {
  /// Columns that say what a row tells, of whom and when; all others tell more of the same.
  private static let report: Set = [
    "userId", "eventType", "occurredAt", "price", "user", "offering", "group", "assigned_at", "alias", "date", "rate",
  ]

  /// What two inputs have in common that read the same out of the same bytes: an input that makes refunds of the rows that
  /// another makes charges of is of another kind.
  static func kind(of input: PurchaseInput) -> String { kind(of: input, as: "", attributes: "attributes") }

  /// The same of a table.
  static func kind(of input: TableInput) -> String {
    "table " + kind(of: input, as: "table", attributes: "table.attributes")
  }

  private static func kind(of input: Any, as name: String, attributes: String) -> String {
    var lines: [String] = []
    list(input, as: name, to: &lines)
    return lines.filter { line in
      if line.hasPrefix(attributes) { return false }
      guard line.hasPrefix("table.columns[") else { return true }
      return report.contains(String(line.dropFirst("table.columns[".count).prefix { $0 != "]" }))
    }
    .joined(separator: "\n")
  }
}
