import Platform

/// The row of an SQLite file that is at hand: of its columns those that feed a field.
///
/// Texts are taken byte by byte, as they are stored: SQLite checks neither that they are UTF-8 nor that they hold no
/// NUL, and a text that was read up to its first NUL would be another id.
struct SQLiteCells {
  /// Which of the statement's columns they are, what those are called, and which fields they feed.
  let columns: [Int]
  let names: [String]
  let fields: [Int]
  var row: [QueryCell] = []

  /// - Parameters:
  ///   - names: of all of the statement's columns.
  ///   - fieldOfColumn: which field each feeds; -1 none.
  init(names: [String], fieldOfColumn: [Int]) {
    columns = fieldOfColumn.indices.filter { fieldOfColumn[$0] >= 0 }
    self.names = columns.map { names[$0] }
    fields = columns.map { fieldOfColumn[$0] }
  }

  /// What stands in a column, copied to `arena`, numbers in plain decimal notation; nil of what is too long.
  func field(_ position: Int, _ arena: TextArena) -> Field? {
    switch row[position] {
    case .null: .null
    case .integer(let number): Field(arena.copy("\(number)".utf8), .number)
    case .real(let number): Field(arena.copy(Self.plainDecimal(number).utf8), .number)
    // What is in a blob is taken for a text.
    case .text(let bytes), .blob(let bytes): Field(arena.copy(bytes), .string)
    case .tooLong: nil
    }
  }

  /// The column holds a blob.
  func isBlob(_ position: Int) -> Bool { if case .blob = row[position] { true } else { false } }

  /// The column holds a blob that is no text, an id of sixteen bytes say.
  func isBinary(_ position: Int, _ bytes: Text) -> Bool {
    isBlob(position) && (!bytes.isUTF8 || bytes.contains { $0 < 0x20 || $0 == 0x7f })
  }

  /// SQLite keeps `7.99` as a double; its shortest decimal form is the number that was typed. Rates can be so
  /// small that this form has an exponent: `3.9e-05` is written out.
  private static func plainDecimal(_ number: Double) -> String {
    guard number.isFinite else { return "\(number)" }
    let parts = "\(number.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa[0] + (mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : "")
    var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    digits += String(repeating: "0", count: max(0, point - digits.count))
    let fraction = digits.dropFirst(point)
    return (number < 0 ? "-" : "") + digits.prefix(point) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
