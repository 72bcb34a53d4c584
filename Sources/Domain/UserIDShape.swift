/// What may be shown of a user's id, and of cells that may hold one: in messages, logs and whatever is published.
package enum UserIDShape {
  /// How many bytes of an id are kept to be shown.
  package static let shownBytes = 60

  /// The id's shape, which is nobody's: letters become x or X, digits 9, zeros before a number stay. A spreadsheet's
  /// number is nobody's id any more and stays as it is.
  package static func shape(_ id: [UInt8]) -> String {
    if isSpreadsheetNumber(id) { return String(decoding: id, as: UTF8.self) }
    var isInNumber = false
    var shape = ""
    for character in String(decoding: id.prefix(shownBytes), as: UTF8.self) {
      if character.isNumber {
        isInNumber = isInNumber || character != "0"
        shape.append(isInNumber ? "9" : "0")
      } else {
        isInNumber = false
        shape.append(character.isLetter ? (character.isUppercase ? "X" : "x") : character)
      }
    }
    return shape
  }

  /// A cell as messages quote it: in its shape where it may be somebody's id. Words, times, amounts in few digits and what a
  /// spreadsheet has left of a number stay as they are.
  ///
  ///     UserIDShape.quoted("12,x") == "12,x"
  ///     UserIDShape.quoted("2026-13-01") == "2026-13-01"
  ///     UserIDShape.quoted("u10017") == "x99999"
  package static func quoted(_ cell: String) -> String {
    isWord(cell) || isTimeOrAmount(cell) || isShortNumber(cell) ? cell : shape(Array(cell.utf8))
  }

  /// A name that came from a row, of an event or an endpoint, whose parts that may be somebody's id show their shape.
  ///
  ///     UserIDShape.name("/v1/users/u10017/plan") == "/v1/users/x99999/plan"
  package static func name(_ name: String) -> String {
    guard mayHoldID(name.utf8) else { return name }
    return name.split(omittingEmptySubsequences: false) { "/?&= ".contains($0) }.reduce(into: "") { result, part in
      if part.startIndex > name.startIndex { result.append(name[name.index(before: part.startIndex)]) }
      result += mayHoldID(part.utf8) ? shape(Array(part.utf8)) : String(part)
    }
  }

  /// A path without parts that may be somebody's id: `*` stands for them.
  ///
  ///     UserIDShape.path("/user/10/plan") == "/user/*/plan"
  package static func path(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { mayHoldID($0.utf8) || !$0.isEmpty && $0.utf8.allSatisfy(isDigit) ? "*" : String($0) }
      .joined(separator: "/")
  }

  /// Names with as many digits may be ids.
  private static let fewestDigits = 3

  private static func mayHoldID(_ name: some Collection<UInt8>) -> Bool {
    name.count(where: isDigit) >= fewestDigits || name.contains(UInt8(ascii: "@"))
  }

  private static func isWord(_ cell: String) -> Bool {
    !cell.utf8.contains { isDigit($0) || $0 == UInt8(ascii: "@") }
  }

  /// Digits, four in a row at most, and the marks that stand between those of times and amounts.
  private static func isTimeOrAmount(_ cell: String) -> Bool {
    let runs = cell.utf8.split(omittingEmptySubsequences: false) { !isDigit($0) }
    return runs.count > 1 && runs.allSatisfy { $0.count <= 4 }
      && cell.utf8.allSatisfy { isDigit($0) || "-/:.,+ TZ".utf8.contains($0) }
  }

  /// One or two digits, with something else behind them perhaps.
  private static func isShortNumber(_ cell: String) -> Bool {
    cell.utf8.first.map(isDigit) ?? false && cell.utf8.count(where: isDigit) < fewestDigits && !cell.contains("@")
  }

  /// A number as a spreadsheet shows a long one, `4.07E+09`: its last digits are gone, so that many users share it.
  package static func isSpreadsheetNumber(_ id: [UInt8]) -> Bool {
    let parts = id.split(separator: UInt8(ascii: "+"), omittingEmptySubsequences: false)
    guard parts.count == 2, (2...3).contains(parts[1].count), parts[1].allSatisfy(isDigit),
      let last = parts[0].last, last | 0x20 == UInt8(ascii: "e")
    else { return false }
    let marks = parts[0].dropLast().filter { !isDigit($0) }
    let isDecimal = marks.isEmpty || marks == [UInt8(ascii: ".")] || marks == [UInt8(ascii: ",")]
    return isDecimal && parts[0].first.map(isDigit) ?? false
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
