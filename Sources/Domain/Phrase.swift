import Foundation

/// Numbers as people read them in sentences: rounded, with their unit, the same on every machine.
package enum Phrase {
  /// `12.3 %`: three figures or so, never more than two decimals.
  package static func percent(_ share: Double) -> String {
    "\(decimal(share * 100, decimals: percentDecimals(share))) %"
  }

  /// `94 %`, `3.9 %`: as much of a share as can be said aloud, without a sign.
  package static func spoken(_ share: Double) -> String {
    let percent = share.magnitude * 100
    return "\(decimal(percent, decimals: percent >= 9.95 ? 0 : percent >= 0.095 ? 1 : 2)) %"
  }

  /// ` (42 to 174 %)`: where a lift may lie, without the sign that both ends and the lift have; empty where they differ
  /// in it.
  package static func spoken(of lift: Double, from low: Double, to high: Double) -> String {
    let ends = lift < 0 ? [-high, -low] : [low, high]
    return ends[0] > 0 ? " (\(spoken(ends[0]).dropLast(2)) to \(spoken(ends[1])))" : ""
  }

  /// `518`, `5,170`, `0.36`: three figures, without a sign.
  package static func rounded(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return "0" }
    let power = pow(10, floor(log10(value.magnitude)) - 2)
    return decimal((value.magnitude / power).rounded() * power, decimals: value.magnitude < 1 ? 4 : 2)
  }

  /// `+12.3 %`, `-4 %`: a change.
  package static func change(_ lift: Double) -> String {
    lift > 0 ? "+" + percent(lift) : percent(lift)
  }

  /// A lift, or an end of its interval: nothing a run measures can fall by more than all of it.
  package static func lift(_ lift: Double) -> String { change(max(-1, lift)) }

  /// `12.3 % higher`, `4 % lower`.
  package static func comparative(_ lift: Double) -> String {
    lift == 0 ? "the same" : "\(percent(lift.magnitude)) \(lift > 0 ? "higher" : "lower")"
  }

  /// `6,700`.
  package static func count(_ number: some BinaryInteger) -> String {
    (number < 0 ? "-" : "") + grouped(String(number.magnitude))
  }

  /// `1 user`, `6,700 users`.
  package static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// `30 days`, `36 hours`, `90 minutes`: a length of time in the largest unit that it is a whole number of.
  package static func duration(milliseconds: Int64) -> String {
    let units: [(name: String, milliseconds: Int64)] = [("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)]
    guard let unit = units.first(where: { milliseconds.isMultiple(of: $0.milliseconds) }) else {
      return "\(decimal(Double(milliseconds) / 1000, decimals: 3)) seconds"
    }
    return count(milliseconds / unit.milliseconds, unit.name)
  }

  /// `90th`, `99.9th`, `2nd`: a share as the number of a percentile.
  package static func ordinal(percent share: Double) -> String {
    let number = decimal(share * 100, decimals: 4)
    let isTeen = ["11", "12", "13"].contains(number)
    let endings: [Character: String] = ["1": "st", "2": "nd", "3": "rd"]
    return number + (isTeen ? "th" : number.last.flatMap { endings[$0] } ?? "th")
  }

  /// `7 April 2026`.
  package static func day(_ date: CivilDate) -> String {
    "\(date.dayOfMonth) \(months[Int(date.month) - 1]) \(date.year)"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `p = 0.013`, `p < 0.0001`.
  package static func pValue(_ value: Double) -> String {
    guard value >= 0.0001 else { return "p < 0.0001" }
    return "p = \(decimal(value, decimals: value < 0.001 ? 4 : value < 0.1 ? 3 : 2))"
  }

  /// A group's value: `4.31 %`, `12.34 USD`, `1.7`.
  package static func value(_ value: Double, isShare: Bool, currency: String?) -> String {
    if isShare { return percent(value) }
    let text = decimal(value, decimals: value.magnitude < 1 ? 4 : 2)
    return currency.map { "\(text) \($0)" } ?? text
  }

  /// Two values of one kind to the same decimals, the unit with the first: `1.51 USD` and `1.00`, `8.1 %` and `7.0 %`.
  ///
  /// Decimals are as many as it takes to tell them apart, and to show two figures of the smaller one.
  package static func pair(
    _ value: Double, _ other: Double, isShare: Bool, currency: String?
  ) -> (value: String, baseline: String) {
    let scaled = [value, other].map { isShare ? $0 * 100 : $0 }
    let largest = scaled.map(\.magnitude).max() ?? 0
    var decimals = isShare ? 1 : largest >= 1000 ? 0 : 2
    func text(_ number: Double) -> String {
      let parts = FixedDecimal.text(number, decimals: decimals).split(separator: ".")
      return (number < 0 ? "−" : "") + grouped(String(parts[0])) + (parts.count > 1 ? ".\(parts[1])" : "")
    }
    func isClear() -> Bool {
      let step = pow(10, Double(-decimals))
      return scaled.allSatisfy { $0 == 0 || $0.magnitude >= 9.5 * step }
        && (scaled[0] == scaled[1] || text(scaled[0]) != text(scaled[1]))
    }
    while decimals < 6, !isClear() { decimals += 1 }
    let texts = scaled.map(text)
    if isShare { return ("\(texts[0]) %", "\(texts[1]) %") }
    return (currency.map { "\(texts[0]) \($0)" } ?? texts[0], texts[1])
  }

  /// `a`, `a and b`, `a, b and c`; of more than `most` items `a, b and 5 more`.
  package static func list(_ items: some Collection<String>, most: Int = .max) -> String {
    let items = items.count > most ? items.prefix(most) + ["\(count(items.count - most)) more"] : Array(items)
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }

  /// A number with at most so many decimals, zeros at the end left out: `0.5`, `12`, `6,666.7`.
  package static func decimal(_ value: Double, decimals: Int) -> String {
    let parts = FixedDecimal.text(value, decimals: decimals).split(separator: ".")
    var fraction = parts.count > 1 ? parts[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    let text = grouped(String(parts[0])) + (fraction.isEmpty ? "" : "." + fraction)
    return value < 0 && text != "0" ? "-" + text : text
  }

  /// Digits with a comma before every third from the right: `6,666`.
  package static func grouped(_ digits: String) -> String {
    guard digits.utf8.count > 3 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  private static func percentDecimals(_ share: Double) -> Int {
    switch share.magnitude {
    case 0.1...: 1
    case 0.001..<0.1: 2
    default: 4
    }
  }
}
