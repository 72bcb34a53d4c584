/// Days since 1900 with the time of day as their fraction, which is how spreadsheets keep times: `45992.5`.
///
/// Source: the 1900 date system of Excel, whose day 60 is a 29 February 1900 that never was; days are taken from 61,
/// 1900-03-01, on.
enum SerialDate {
  /// 1970-01-01.
  private static let epochDay: Int64 = 25_569
  /// 2000-01-01 to 2099-12-31: what a bare number of five digits is, rather than the first day of 1970 in seconds.
  private static let likelyDays: Range<Int64> = 36_526..<73_051

  /// The local time in milliseconds since 1970 of a text that is such a number, of this century; nil for others.
  static func likely(_ text: Span<UInt8>) -> Int64? {
    var cursor = TextCursor(text)
    guard let time = accept(from: &cursor), cursor.isAtEnd else { return nil }
    let day = time.dividedRoundingDown(by: Instant.millisecondsPerDay) + epochDay
    return likelyDays.contains(day) ? time : nil
  }

  /// Takes a number with a point or a comma; the local time in milliseconds since 1970, rounded.
  static func accept(from text: inout TextCursor) -> Int64? {
    guard let day = text.scanNumber(1...7), day >= 61, day - epochDay < TimeText.latest / Instant.millisecondsPerDay
    else { return nil }
    let midnight = (day - epochDay) * Instant.millisecondsPerDay
    guard text.accept(UInt8(ascii: ".")) || text.accept(UInt8(ascii: ",")) else { return midnight }
    guard let fraction = text.scanShare() else { return nil }
    return midnight + Int64((fraction * Double(Instant.millisecondsPerDay)).rounded())
  }
}
