/// What may be shown of a user's id.
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
