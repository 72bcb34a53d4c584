import Domain
import Foundation

/// How a file writes its times.
struct TimeGuess: Sendable {
  /// strptime's letters, or `excel`; nil for what is read anyway.
  var format: TimeFormat?
  var unit = TimeUnit.seconds
  /// Every value tells its own offset.
  var reportsOffset = false
  /// Every value is a number: of seconds, of milliseconds or of days.
  var isNumber = false
  /// Every value is a day, without a time of it.
  var areDays = false
  /// Which number is the day and which the month nothing shows.
  var isInDoubt = false
  /// From the earliest value to the latest, in milliseconds since 1970.
  var span: ClosedRange<Int64>

  /// How many values are tried: a format that reads these reads the file.
  private static let tried = 400
  private static let enough = 0.9

  /// The format that reads the values; nil where none reads nine of ten.
  ///
  /// Of several, one without remarks comes first; of those that differ only in which number is the day and which the
  /// month, the one whose times lie closest together, and that is no more than a guess.
  ///
  /// - Parameters:
  ///   - zone: where times without an offset are local.
  ///   - order: whether the day comes before the month or behind it, where whoever asked says so.
  static func best(_ values: [String], zone: TimeZone, order: DateOrder? = nil) -> Guess<TimeGuess>? {
    let sample = ColumnValues.spread(values, tried)
    guard let first = sample.first else { return nil }
    if let plain = read(sample, nil, numberUnit(sample), zone) {
      return Guess(plain, .certain, words(plain, first))
    }
    let found = candidates(first).filter { order?.allows($0.text) ?? true }.compactMap {
      read(sample, $0, .seconds, zone)
    }
    guard let best = found.min(by: { width($0) < width($1) }) else { return nil }
    let format = best.format?.text ?? ""
    let others = found.filter { $0.span != best.span }
    guard let other = others.min(by: { width($0) < width($1) }), let otherFormat = other.format?.text else {
      return Guess(best, .certain, "\(first) reads as \(format)")
    }
    // Any value that only one of them reads shows which it is.
    let (left, right) = (count(values, best, zone), count(values, other, zone))
    if left != right {
      let (right, wrong) = left > right ? (best, otherFormat) : (other, format)
      return Guess(right, .certain, "\(right.format?.text ?? "") reads every value, and \(wrong) does not")
    }
    var doubted = best
    doubted.isInDoubt = true
    return Guess(doubted, .guess, "\(first) reads as \(format), and as \(otherFormat)")
  }

  /// How many of all values a format reads.
  private static func count(_ values: [String], _ guess: TimeGuess, _ zone: TimeZone) -> Int {
    var reader = TimeText(timezone: zone, unit: guess.unit, format: guess.format)
    return values.count { (try? reader.parse(Array($0.utf8).span)) != nil }
  }

  private static func width(_ guess: TimeGuess) -> Int64 { guess.span.upperBound - guess.span.lowerBound }

  private static func read(
    _ values: [String], _ format: TimeFormat?, _ unit: TimeUnit, _ zone: TimeZone
  ) -> TimeGuess? {
    var reader = TimeText(timezone: zone, unit: unit, format: format)
    var times: [Int64] = []
    for value in values {
      let bytes = Array(value.utf8)
      if let time = try? reader.parse(bytes.span), time >= earliest { times.append(time) }
    }
    guard Double(times.count) >= enough * Double(values.count), let low = times.min(), let high = times.max() else {
      return nil
    }
    var guess = TimeGuess(format: format, unit: unit, span: low...high)
    guess.isNumber = ColumnValues(values).areNumbers
    guess.areDays = !guess.isNumber && (format.map { dates.contains($0.text) } ?? values.allSatisfy { $0.count <= 10 })
    guess.reportsOffset =
      values.allSatisfy(hasOffset) || format.map { $0.text.contains("%z") } ?? false || guess.isNumber
    return guess
  }

  /// A time before 2000 was misread.
  private static let earliest: Int64 = 946_684_800_000

  // MARK: - Numbers

  /// Seconds since 1970 have ten digits, milliseconds thirteen, and so on.
  private static func numberUnit(_ values: [String]) -> TimeUnit {
    guard ColumnValues(values).areNumbers, let first = values.lazy.compactMap(Double.init).first else {
      return .seconds
    }
    return TimeUnit.allCases.last { first >= 1e11 * pow(10, Double($0.digits - 3)) } ?? .seconds
  }

  /// `Z`, ` UTC`, `+00`, `+0530` or `+05:30` behind the clock.
  private static func hasOffset(_ value: String) -> Bool {
    let end = value.dropFirst(19).uppercased()
    return end.contains { "+-Z".contains($0) } || end.hasSuffix("UTC") || end.hasSuffix("GMT")
  }

  private static func words(_ guess: TimeGuess, _ first: String) -> String {
    if guess.isNumber {
      return "\(first) counts \(guess.unit.rawValue) since 1970"
    }
    return "\(first) is read as it stands"
  }

  // MARK: - Formats

  private static let dates = [
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y-%m-%d", "%d.%m.%y",
    "%d/%m/%y", "%m/%d/%y", "%d %b %Y", "%b %d, %Y", "%d-%b-%Y", "%Y%m%d",
  ]
  private static let clocks = [
    "", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p", " %H:%M:%S.%f", ", %H:%M:%S", ", %H:%M", "T%H:%M:%S",
    "T%H:%M", ", %I:%M:%S %p", ", %I:%M %p",
  ]
  private static let zones = ["", " %z", "%z", " %Z"]

  /// Every format that reads the first value.
  private static func candidates(_ first: String) -> [TimeFormat] {
    let bytes = Array(first.utf8)
    return formats.filter { $0.read(bytes.span) != nil }
  }

  private static let formats: [TimeFormat] = {
    let texts = dates.flatMap { date in clocks.flatMap { clock in zones.map { date + clock + $0 } } }
    return (texts + [TimeFormat.excel]).compactMap { try? TimeFormat($0) }
  }()
}
