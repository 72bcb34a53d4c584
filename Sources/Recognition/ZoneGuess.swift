import Foundation

/// Where times without an offset are local.
enum ZoneGuess {
  /// The zone: the one in the column's name, else the one that whoever asked says, else UTC.
  static func zone(_ column: String, reported: TimeZone?) -> Guess<TimeZone> {
    let words = column.lowercased().split { !$0.isLetter }
    if words.contains("utc") || words.contains("gmt") { return Guess(.gmt, .certain, "the column's name says it") }
    return reported.map { Guess($0, .certain, "as told") }
      ?? Guess(.gmt, .guess, "no time tells its zone; --timezone says it")
  }
}
