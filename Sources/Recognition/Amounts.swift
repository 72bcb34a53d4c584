import Domain
import Measurement

/// A column of money, value by value: which are in plain digits, as prices are read, and which carry marks.
struct Amounts {
  /// What stands before the fraction.
  let sign: UInt8
  let count: Int
  /// How many are in plain digits.
  let plain: Int
  /// The others that are amounts all the same, by place.
  let marked: [(position: Int, amount: AmountText)]

  /// - Parameter sign: what stands before the fraction; else the one with which most can be read.
  init(_ values: [String], sign: UInt8? = nil) {
    let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
    let kinds = Set(values)
    let readings = (sign.map { [$0] } ?? [point, comma]).map { sign in
      let plain = kinds.filter { Self.isPlain($0, sign) }
      return (sign: sign, plain: Self.mayCountThousands(plain, sign) ? [] : plain)
    }
    let weights = readings.map { reading in values.count { reading.plain.contains($0) } }
    let best = weights.count > 1 && weights[1] > weights[0] ? 1 : 0
    let ambiguous = weights.count > 1 && weights[0] == weights[1] ? Self.signOfMarked(kinds) : nil
    let reading = ambiguous == comma ? readings[1] : readings[best]
    (self.sign, count) = (reading.sign, values.count)
    plain = values.count { reading.plain.contains($0) }
    let texts = Dictionary(
      uniqueKeysWithValues: kinds.subtracting(reading.plain).map { ($0, AmountText($0, sign: reading.sign)) })
    marked = values.enumerated().compactMap { position, value in (texts[value] ?? nil).map { (position, $0) } }
  }

  /// From this share of values on that are amounts, the column is one of money: a few may be broken.
  private static let enough = 0.9

  /// An amount as it stands there without a minus before it, which some files write before what was given back.
  static func unsigned(_ value: String) -> String { value.first == "-" ? String(value.dropFirst()) : value }

  /// It is a column of money, whether or not it is written as prices are read.
  var areMoney: Bool { count > 0 && Double(plain + marked.count) >= Self.enough * Double(count) }

  /// What the marked ones carry, in order of the alphabet.
  var marks: [String] { marked.reduce(into: Set()) { $0.formUnion($1.amount.marks) }.sorted() }

  /// The signs and codes of currencies beside them.
  var currencySigns: [String] { Set(marked.compactMap(\.amount.currency)).sorted() }

  /// What the marked ones come to, in units of the currency.
  var markedSum: Double {
    marked.reduce(0) { sum, entry in
      sum + Double((try? DecimalText.parse(entry.amount.plain, decimals: 6, sign: sign)) ?? 0) / 1_000_000
    }
  }

  /// Where some have a fraction and every fraction has three digits behind one to three others, the sign may part
  /// thousands: `1,299`.
  private static func mayCountThousands(_ values: Set<String>, _ sign: UInt8) -> Bool {
    let fractions = values.filter { $0.utf8.contains(sign) }
    return !fractions.isEmpty
      && fractions.allSatisfy { value in
        let parts = value.utf8.split(separator: sign)
        return parts.count == 2 && parts[1].count == 3 && parts[0].count <= 3 && parts[0].first != UInt8(ascii: "0")
      }
  }

  /// Digits, and a fraction of any length: what is finer than a millionth is rounded when prices are read.
  private static func isPlain(_ value: String, _ sign: UInt8) -> Bool {
    let parts = value.utf8.split(separator: sign, omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (48...57).contains($0) } }
  }

  /// The sign that makes most of values with marks amounts, where none is plain.
  private static func signOfMarked(_ values: Set<String>) -> UInt8 {
    let counts = [UInt8(ascii: "."), UInt8(ascii: ",")].map { sign in
      (sign, values.count { AmountText($0, sign: sign) != nil })
    }
    return counts[1].1 > counts[0].1 ? counts[1].0 : counts[0].0
  }
}
