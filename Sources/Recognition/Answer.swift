import Domain
import Jobs

/// An answer to what init asked, as it is typed: `--say price_unit=minor`.
package enum Answer {
  /// Why an answer cannot be; nil where it can.
  package static func problem(_ key: String, _ value: String) -> String? {
    let what = "--say \(key)=\(value): "
    switch key {
    case "price_unit": return ["minor", "major"].contains(value) ? nil : what + "write minor or major."
    case "items": return ["true", "false"].contains(value) ? nil : what + "write true or false."
    case "dates": return DateOrder(rawValue: value) != nil ? nil : what + "write day_first or month_first."
    case "quantity": return value.isEmpty ? what + "write the column, or none." : nil
    case let name where name.hasPrefix("rows."):
      return ["ignore", "purchase"].contains(value) ? nil : what + "write ignore or purchase."
    case let name where name.hasPrefix("types."):
      let types = EventWords.all.union([LogMapping.ignored]).sorted()
      return types.contains(value)
        ? nil : what + "it is one of \(Phrase.list(types)); \(hint(for: value, among: types))"
    default:
      return what
        + "there is no such question; \(hint(for: key, among: ["price_unit", "items", "quantity", "dates", "types.NAME", "rows.COLUMN"]))"
    }
  }
}
