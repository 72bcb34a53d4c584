/// Writes values as texts: numbers in plain decimal notation, times as RFC 3339 has them.
enum ValueText {
  /// Appends the text of a number as it lies in the file; false where it is NULL.
  static func append(_ value: Int64, _ kind: ValueKind, to bytes: inout [UInt8]) -> Bool {
    switch kind.meaning {
    case .boolean: bytes.append(contentsOf: value == 0 ? no : yes)
    case .integer: append(value, to: &bytes)
    case .unsigned32: append(Int64(UInt32(truncatingIfNeeded: value)), to: &bytes)
    case .unsigned64: append(UInt64(bitPattern: value), to: &bytes)
    case .float: return append(Float(bitPattern: UInt32(truncatingIfNeeded: value)), to: &bytes)
    case .double: return append(Double(bitPattern: UInt64(bitPattern: value)), to: &bytes)
    case .decimal(let scale):
      append(decimal: UInt128(value.magnitude), isNegative: value < 0, scale: scale, to: &bytes)
    case .date: append(day: value, to: &bytes)
    case .time(let unit): append(clock: value, unit, to: &bytes)
    case .timestamp(let unit, let isUTC):
      let perDay = unit.perSecond * 86_400
      let (day, clock) = floor(value, perDay)
      append(day: day, clock: clock, unit, isUTC: isUTC, to: &bytes)
    case .half, .julianTimestamp, .text, .uuid, .bytes, .other: return false
    }
    return true
  }

  /// Appends the text of a value of several bytes; false where it is NULL.
  ///
  /// - Throws: `ParquetFault` where it is none.
  static func append(_ value: ArraySlice<UInt8>, _ kind: ValueKind, to bytes: inout [UInt8]) throws -> Bool {
    switch kind.meaning {
    case .decimal(let scale):
      let (magnitude, isNegative) = try twosComplement(value)
      append(decimal: magnitude, isNegative: isNegative, scale: scale, to: &bytes)
    case .julianTimestamp:
      guard value.count == 12 else { throw ParquetFault("a time of it is not twelve bytes") }
      let nanoseconds = Int64(bitPattern: littleEndian(value.prefix(8)))
      let julian = Int64(Int32(truncatingIfNeeded: littleEndian(value.suffix(4))))
      // A day may hold more than its nanoseconds, or less than none.
      let (days, clock) = floor(nanoseconds, 86_400_000_000_000)
      append(day: julian - 2_440_588 + days, clock: clock, .nanoseconds, isUTC: true, to: &bytes)
    case .half:
      guard value.count == 2 else { throw ParquetFault("a number of it is not two bytes") }
      return append(Float16(bitPattern: UInt16(truncatingIfNeeded: littleEndian(value))), to: &bytes)
    case .uuid:
      for (position, byte) in value.enumerated() {
        if [4, 6, 8, 10].contains(position) { bytes.append(UInt8(ascii: "-")) }
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 15)])
      }
    default: bytes.append(contentsOf: value)
    }
    return true
  }

  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
  private static let hexadecimal = Array("0123456789abcdef".utf8)
  private static let zero = UInt8(ascii: "0")

  /// Of at most eight bytes.
  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: - Numbers

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(value.magnitude, to: &bytes)
  }

  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(zero + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    reverse(&bytes, from: start)
  }

  /// Two digits.
  @inline(__always)
  private static func append(two value: UInt64, to bytes: inout [UInt8]) {
    bytes.append(zero + UInt8(truncatingIfNeeded: value / 10 % 10))
    bytes.append(zero + UInt8(truncatingIfNeeded: value % 10))
  }

  /// Exactly so many digits, zeros before them where there are fewer.
  private static func append(_ value: UInt64, digits: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = value
    for _ in 0..<digits {
      bytes.append(zero + UInt8(rest % 10))
      rest /= 10
    }
    reverse(&bytes, from: start)
  }

  private static func reverse(_ bytes: inout [UInt8], from start: Int) {
    var (first, last) = (start, bytes.count - 1)
    while first < last {
      bytes.swapAt(first, last)
      (first, last) = (first + 1, last - 1)
    }
  }

  /// Without zeros at the end of its fraction: a column of nine decimals may hold 7.99.
  private static func append(decimal value: UInt128, isNegative: Bool, scale: Int, to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    var (rest, left) = (value, scale)
    while left > 0, rest % 10 == 0 { (rest, left) = (rest / 10, left - 1) }
    let start = bytes.count
    var written = 0
    while rest > 0 || written <= left {
      if written == left, left > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(zero + UInt8(truncatingIfNeeded: rest % 10))
      (rest, written) = (rest / 10, written + 1)
    }
    reverse(&bytes, from: start)
  }

  /// The most significant byte first.
  private static func twosComplement(_ value: ArraySlice<UInt8>) throws -> (magnitude: UInt128, isNegative: Bool) {
    let isNegative = (value.first ?? 0) & 0x80 != 0
    let bytes = value.drop { $0 == (isNegative ? 0xff : 0) }
    guard bytes.count <= 16 else { throw ParquetFault.unsupported("it has decimals of more than 38 digits") }
    var pattern: UInt128 = isNegative ? .max : 0
    for byte in bytes { pattern = pattern << 8 | UInt128(byte) }
    return (isNegative ? ~pattern &+ 1 : pattern, isNegative)
  }

  /// NaN is what a data frame has for NULL.
  private static func append(_ value: some BinaryFloatingPoint & CustomStringConvertible, to bytes: inout [UInt8])
    -> Bool
  {
    if value.isNaN { return false }
    // The shortest text that is read back as this number.
    var text = value.description
    if text.contains("e") { text = plain(text) } else if text.hasSuffix(".0") { text.removeLast(2) }
    bytes.append(contentsOf: text.utf8)
    return true
  }

  /// `3.9e-05` written out.
  private static func plain(_ text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let mantissa = parts[0].split(separator: ".")
    var digits = String(mantissa[0]) + (mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : "")
    var point = mantissa[0].count + exponent
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    digits += String(repeating: "0", count: max(0, point - digits.count))
    let fraction = digits.dropFirst(point)
    return sign + digits.prefix(point) + (fraction.isEmpty ? "" : "." + fraction)
  }

  // MARK: - Times

  private static func floor(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func append(
    day: Int64, clock: Int64, _ unit: SchemaElement.Unit, isUTC: Bool, to bytes: inout [UInt8]
  ) {
    append(day: day, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(clock: clock, unit, to: &bytes)
    if isUTC { bytes.append(UInt8(ascii: "Z")) }
  }

  /// `YYYY-MM-DD`; a year of more than four digits is no date to any reader.
  ///
  /// Days are counted from 1 March of year 0, so that leap days end years: eras of 400 years are alike.
  private static func append(day: Int64, to bytes: inout [UInt8]) {
    let (era, dayOfEra) = floor(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fifth = (5 * dayOfYear + 2) / 153
    let month = fifth < 10 ? fifth + 3 : fifth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    if year < 0 { bytes.append(UInt8(ascii: "-")) }
    if year > 9999 { append(year.magnitude, to: &bytes) } else { append(year.magnitude, digits: 4, to: &bytes) }
    bytes.append(UInt8(ascii: "-"))
    append(two: UInt64(month), to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(two: UInt64(dayOfYear - (153 * fifth + 2) / 5 + 1), to: &bytes)
  }

  /// `HH:MM:SS`, and a fraction where there is one, in steps of three digits.
  private static func append(clock: Int64, _ unit: SchemaElement.Unit, to bytes: inout [UInt8]) {
    let (seconds, rest) = floor(clock, unit.perSecond)
    append(two: UInt64(floor(seconds, 86_400).rest / 3600), to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(two: UInt64(floor(seconds, 3600).rest / 60), to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(two: UInt64(floor(seconds, 60).rest), to: &bytes)
    guard rest > 0 else { return }
    var (fraction, digits) = (UInt64(rest), unit == .milliseconds ? 3 : unit == .microseconds ? 6 : 9)
    while fraction % 1000 == 0 { (fraction, digits) = (fraction / 1000, digits - 3) }
    bytes.append(UInt8(ascii: "."))
    append(fraction, digits: digits, to: &bytes)
  }
}
