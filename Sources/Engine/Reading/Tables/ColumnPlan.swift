import Jobs

/// Which columns or members of a file are read for the fields of a row, and what is done with them where a field is not
/// simply one of them: two fields may want one column, and a dotted name may lie inside another.
final class ColumnPlan {
  /// What the format is asked for: of each field its own column, behind them what values may lie inside.
  let names: [String]
  /// Columns in which a field's value may lie as JSON text, by field; for tables, whose headers tell what is missing.
  private(set) var containers: [Int: [String]] = [:]
  /// A field and the one that has its column.
  private var copies: [(field: Int, source: Int)] = []
  /// A field, and members that tell it where its own is not there, in this order.
  private var nested: [(field: Int, sources: [Int])] = []
  private var texts: [Embedded] = []
  /// How many columns are fields by themselves.
  private let ownCount: Int

  /// JSON text in a column, and the fields that may lie in it.
  private struct Embedded {
    let source: Int
    let fields: [Int]
    let reader: JSONTextReader
    let plan: ColumnPlan
  }

  /// - Parameters:
  ///   - columns: of each field what the file calls it.
  ///   - isJSON: rows are objects; else they are rows of a table, in which nothing is nested but in JSON text.
  init(_ columns: [String], isJSON: Bool) {
    ownCount = columns.count
    var names: [String] = []
    var numbers: [String: Int] = [:]
    for (field, column) in columns.enumerated() {
      if let source = numbers[column] {
        copies.append((field, source))
        // A name that no column has.
        names.append("\u{1f}\(field)")
      } else {
        numbers[column] = field
        names.append(column)
      }
    }
    func number(of name: String) -> Int {
      if let known = numbers[name] { return known }
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
    var inside: [Int: [(field: Int, rest: String)]] = [:]
    for (field, column) in columns.enumerated() where numbers[column] == field {
      guard let dotted = DottedName(column) else { continue }
      if isJSON { nested.append((field, dotted.paths.map(number))) }
      let holders = dotted.containers(nested: isJSON)
      containers[field] = holders.map(\.name)
      for holder in holders { inside[number(of: holder.name), default: []].append((field, holder.rest)) }
    }
    self.names = names
    texts = inside.sorted { $0.key < $1.key }.map { source, fields in
      let plan = ColumnPlan(fields.map(\.rest), isJSON: true)
      return Embedded(
        source: source, fields: fields.map(\.field), reader: JSONTextReader(names: plan.names), plan: plan)
    }
  }

  /// Whether a column is asked for only because a field's value may lie in it as JSON text.
  func isOpenedOnly(_ number: Int) -> Bool {
    texts.contains { $0.source == number } && number >= ownCount && !nested.contains { $0.sources.contains(number) }
  }

  /// Which columns must be there, where fields that have the column of another must.
  func withoutCopies(_ isRequired: [Bool]) -> [Bool] {
    copies.reduce(into: isRequired) { required, copy in
      required[copy.source] = required[copy.source] || required[copy.field]
      required[copy.field] = false
    }
  }

  /// Every field is a column by itself.
  var isPlain: Bool { copies.isEmpty && nested.isEmpty && texts.isEmpty }

  /// A new batch begins: texts of earlier rows are used no more.
  func beginBatch() {
    for text in texts {
      text.reader.forget()
      text.plan.beginBatch()
    }
  }

  /// Fills in the fields of a row that are no columns by themselves.
  func complete(_ fields: Fields) {
    for (field, sources) in nested where fields[field].isAbsent {
      if let found = sources.first(where: { !fields[$0].isAbsent }) { fields[field] = fields[found] }
    }
    for text in texts where text.fields.contains(where: { fields[$0].isAbsent }) { open(text, in: fields) }
    for (field, source) in copies { fields[field] = fields[source] }
  }

  private func open(_ text: Embedded, in fields: Fields) {
    let field = fields[text.source]
    guard field.kind == .string, field.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      let members = text.reader.read(Text(field.bytes.drop { $0 <= 0x20 }))
    else { return }
    text.plan.complete(members)
    for (member, field) in text.fields.enumerated() where fields[field].isAbsent { fields[field] = members[member] }
  }
}
