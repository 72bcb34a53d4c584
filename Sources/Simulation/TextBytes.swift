import Domain

/// Text written straight into a buffer of bytes: a log has millions of lines, and none of them becomes a
/// `String` on the way.
extension [UInt8] {
  mutating func write(_ text: String) {
    append(contentsOf: text.utf8)
  }

  /// Decimal digits, filled up with zeros to at least `width`.
  mutating func write(_ number: UInt64, width: Int = 1) {
    var rest = number
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || count - start < width
    self[start...].reverse()
  }

  /// The lowest `digits` hexadecimal digits.
  mutating func write(hex bits: UInt64, digits: Int = 16) {
    for digit in stride(from: digits - 1, through: 0, by: -1) {
      let value = UInt8(truncatingIfNeeded: bits >> (4 * UInt64(digit))) & 15
      append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
    }
  }

  /// Money in decimal units with two decimals: `7.99`.
  mutating func write(priceMicros: Int64) {
    let cents = UInt64(priceMicros / 10_000)
    write(cents / 100)
    append(UInt8(ascii: "."))
    write(cents % 100, width: 2)
  }

  /// Date and clock, `2026-03-02T10:15:30` with `separator` between the two.
  mutating func write(secondOf time: Instant, separator: UInt8 = UInt8(ascii: "T")) {
    let date = CivilDate(day: time.utcDay)
    let seconds = UInt64((time.milliseconds - time.utcDay * Instant.millisecondsPerDay) / 1000)
    write(UInt64(date.year), width: 4)
    append(UInt8(ascii: "-"))
    write(UInt64(date.month), width: 2)
    append(UInt8(ascii: "-"))
    write(UInt64(date.dayOfMonth), width: 2)
    append(separator)
    write(seconds / 3600, width: 2)
    append(UInt8(ascii: ":"))
    write(seconds / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    write(seconds % 60, width: 2)
  }

  /// A JSON string, quotes included.
  mutating func write(json text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        write("\\u")
        write(hex: UInt64(byte), digits: 4)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// One line of comma-separated fields, quoted where RFC 4180 asks for it.
  mutating func write(csv fields: [String]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      write(csvField: field)
    }
    append(UInt8(ascii: "\n"))
  }

  /// One field, quoted where it has to be.
  mutating func write(csvField field: String, delimiter: UInt8 = UInt8(ascii: ",")) {
    guard field.utf8.contains(where: { $0.needsQuotes || $0 == delimiter }) else { return write(field) }
    write("\"")
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    write("\"")
  }
}

extension UInt8 {
  /// A byte that would end a field if it stood there unquoted.
  fileprivate var needsQuotes: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}
