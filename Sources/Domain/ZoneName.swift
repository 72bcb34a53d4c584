import Foundation

/// The name of a time zone as people type it: a region, `Europe/London`, or an offset from UTC.
///
/// Abbreviations are refused: BST is summer in London and winter in Dhaka, and EST never has summer time where New York does.
package enum ZoneName {
  /// Why a name is none.
  package struct Fault: Error {
    /// To stand behind the name, up to the end of the sentence.
    package let words: String
  }

  /// The zone that a name stands for.
  package static func zone(_ name: String) throws(Fault) -> TimeZone {
    if let regions = regions(of: name) { throw Fault(words: "may be several zones; write the region, \(regions).") }
    if let zone = offset(name) ?? TimeZone(identifier: name) { return zone }
    let nearest = nearestName(to: name, among: TimeZone.knownTimeZoneIdentifiers)
    throw Fault(words: "is no time zone; \(nearest.map { "did you mean \"\($0)\"?" } ?? "write Europe/London or UTC.")")
  }

  /// The zone that is always so far from UTC: `+02:00`, `-0330`.
  private static func offset(_ name: String) -> TimeZone? {
    let digits = name.dropFirst().filter { $0 != ":" }
    guard "+-".contains(name.prefix(1)), digits.utf8.count == 4, let number = Int(digits), number % 100 < 60 else {
      return nil
    }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return TimeZone(secondsFromGMT: name.hasPrefix("-") ? -seconds : seconds)
  }

  /// Of an abbreviation the regions that it is said in; nil for what is none.
  private static func regions(of name: String) -> String? {
    let plain = name.uppercased()
    guard !["UTC", "GMT"].contains(plain) else { return nil }
    if let known = known[plain] { return known }
    let isShort = (3...4).contains(plain.utf8.count) && plain.utf8.allSatisfy { (65...90).contains($0) }
    return isShort && TimeZone(identifier: name) != nil && !TimeZone.knownTimeZoneIdentifiers.contains(name)
      ? "such as Europe/London" : nil
  }

  private static let known: [String: String] = [
    "BST": "Europe/London or Asia/Dhaka", "IST": "Asia/Kolkata, Europe/Dublin or Asia/Jerusalem",
    "EST": "America/New_York", "EDT": "America/New_York", "ET": "America/New_York", "EST5EDT": "America/New_York",
    "CST": "America/Chicago or Asia/Shanghai", "CDT": "America/Chicago", "CT": "America/Chicago",
    "CST6CDT": "America/Chicago", "MST": "America/Denver or America/Phoenix", "MDT": "America/Denver",
    "MT": "America/Denver", "MST7MDT": "America/Denver", "PST": "America/Los_Angeles or Asia/Manila",
    "PDT": "America/Los_Angeles", "PT": "America/Los_Angeles", "PST8PDT": "America/Los_Angeles",
    "AKST": "America/Anchorage", "AKDT": "America/Anchorage", "HST": "Pacific/Honolulu", "HDT": "America/Adak",
    "AST": "America/Halifax or Asia/Riyadh", "ADT": "America/Halifax", "NST": "America/St_Johns",
    "BRT": "America/Sao_Paulo", "ART": "America/Argentina/Buenos_Aires", "WET": "Europe/Lisbon",
    "WEST": "Europe/Lisbon",
    "CET": "Europe/Paris or Europe/Berlin", "CEST": "Europe/Paris or Europe/Berlin", "MET": "Europe/Berlin",
    "MEST": "Europe/Berlin", "EET": "Europe/Athens or Africa/Cairo", "EEST": "Europe/Athens", "MSK": "Europe/Moscow",
    "TRT": "Europe/Istanbul", "GST": "Asia/Dubai", "PKT": "Asia/Karachi", "WIB": "Asia/Jakarta", "ICT": "Asia/Bangkok",
    "SGT": "Asia/Singapore", "HKT": "Asia/Hong_Kong", "JST": "Asia/Tokyo", "KST": "Asia/Seoul",
    "AEST": "Australia/Sydney or Australia/Brisbane", "AEDT": "Australia/Sydney", "ACST": "Australia/Adelaide",
    "AWST": "Australia/Perth", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland", "SAST": "Africa/Johannesburg",
    "WAT": "Africa/Lagos", "EAT": "Africa/Nairobi", "CAT": "Africa/Maputo",
  ]
}
