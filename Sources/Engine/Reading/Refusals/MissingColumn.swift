import Domain

/// What to type in the job file where rows lack a field because their file calls it otherwise, or has none.
package enum MissingColumn {
  /// How many of a file's names a message lists.
  private static let nameLimit = 12

  /// The end of a sentence that says that a field is missing; empty where other rows have it and nothing fills it.
  ///
  /// - Parameters:
  ///   - field: the product's name.
  ///   - column: what the job says that the file calls it.
  ///   - names: what the file's first rows have; empty where that is not known.
  ///   - filling: a value that may stand for it in every row, `currency: USD`.
  static func remedy(_ field: String, column: String, names: [String], filling: String? = nil) -> String {
    let defaults = filling.map { "defaults: {\($0)} fills it in every row that has none" }
    guard !names.isEmpty, !names.contains(where: { $0.utf8.elementsEqual(column.utf8) }),
      !DottedName.mayHold(column, names)
    else {
      return defaults.map { "; \($0)" } ?? ""
    }
    let likely = likeliest(column, names)
    let columns =
      likely.map { "say columns: {\(field): \($0)}" }
      ?? "if one of its columns (\(listed(names))) is that, say columns: {\(field): NAME}"
    return "; the file has no \(column): \(columns)" + (defaults.map { ", or \($0)" } ?? "")
  }

  /// What leaves rows out that have no value in a column which other rows have; nil where the file has no such column.
  static func skipping(_ column: String, names: [String]) -> String? {
    guard names.isEmpty || DottedName.mayHold(column, names) else { return nil }
    return "; skip_where: {\(column): null} leaves out rows that have none"
  }

  /// The name that is spelt most alike, or holds the column's or is held by it.
  private static func likeliest(_ column: String, _ names: [String]) -> String? {
    if let nearest = nearestName(to: column, among: names) { return nearest }
    let plain = plain(column)
    return names.filter { name in
      let other = Self.plain(name)
      return other.utf8.count > 2 && (other.contains(plain) || plain.contains(other))
    }.min()
  }

  private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The names, as many and as much of each as a message can take; by their shape where they are cells of a first row that
  /// names no columns.
  package static func listed(_ names: [String], quoted: Bool = false) -> String {
    let mark = quoted ? "\"" : ""
    let areCells = names.contains(where: isData)
    let shown = names.prefix(nameLimit).map { (name: String) -> String in
      let shape = areCells ? UserIDShape.shape(Array(name.utf8)) : UserIDShape.name(name)
      return mark + (shape.utf8.count > 60 ? String(shape.unicodeScalars.prefix(50)) + "…" : shape) + mark
    }
    let more = names.count > nameLimit ? ", and \(Phrase.count(names.count - nameLimit)) more" : ""
    return shown.joined(separator: ", ") + more
  }

  /// A number, a time or a NULL, which no column is called.
  package static func isData(_ cell: String) -> Bool {
    let isNumber = cell.utf8.allSatisfy { (48...57).contains($0) || "-:.TZ +".utf8.contains($0) }
    return cell == "\\N" || isNumber && cell.utf8.contains { (48...57).contains($0) }
  }
}
