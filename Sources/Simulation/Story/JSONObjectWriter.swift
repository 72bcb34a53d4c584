import Domain

/// Writes one JSON object, its keys in the order they are given.
struct JSONObjectWriter {
  private(set) var bytes: [UInt8] = Array("{".utf8)

  /// The object's bytes.
  var object: [UInt8] { bytes + [UInt8(ascii: "}")] }

  mutating func add(_ key: String, _ text: String?) {
    guard let text else { return }
    begin(key)
    bytes.write(json: text)
  }

  mutating func add(_ key: String, number: Int64?) {
    guard let number else { return }
    begin(key)
    bytes.write("\(number)")
  }

  mutating func add(_ key: String, milliseconds time: Instant?) { add(key, number: time?.milliseconds) }

  mutating func add(_ key: String, flag: Bool) { add(key, raw: flag ? "true" : "false") }

  /// A value that is JSON already: a number, an array, null.
  mutating func add(_ key: String, raw: String) {
    begin(key)
    bytes.write(raw)
  }

  mutating func add(_ key: String, object: JSONObjectWriter) {
    begin(key)
    bytes += object.object
  }

  private mutating func begin(_ key: String) {
    if bytes.count > 1 { bytes.write(",") }
    bytes.write(json: key)
    bytes.write(":")
  }
}

extension Int64 {
  /// Micros as plain decimal units without idle zeros: `4.99`, `600`, `2.495`.
  var decimalUnits: String {
    let fraction = (magnitude % 1_000_000)
    let sign = self < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(magnitude / 1_000_000)" }
    var digits = Int64(fraction).padded(6)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(magnitude / 1_000_000).\(digits)"
  }
}
