import Analysis
import Domain
import Statistics

/// What the values of a metric are counted in.
enum Unit: Hashable {
  /// Units of a currency.
  case money(currency: String)
  /// Parts of a whole: 0.1 is 10 %.
  case share
  /// A number that stands for itself: charges a user, days.
  case plain

  /// A unit as `run.json` has it; its currency stands there once for all.
  enum Name: String, Codable, CaseIterable {
    case money, share, plain

    /// What is counted per something else and is not money reads as a share of it.
    init(kind: ResultKind, isMoney: Bool) {
      let isShare = kind == .proportion || kind == .survival || kind == .ratio
      self = isMoney ? .money : isShare ? .share : .plain
    }
  }

  init(_ name: Name, currency: String) {
    self =
      switch name {
      case .money: .money(currency: currency)
      case .share: .share
      case .plain: .plain
      }
  }

  /// `4.31 %`, `12.34 USD`, `1.7`.
  func words(_ value: Double) -> String {
    switch self {
    case .money(let currency): Phrase.value(value, isShare: false, currency: currency)
    case .share: Phrase.percent(value)
    case .plain: Phrase.value(value, isShare: false, currency: nil)
    }
  }

  /// The decimals that fit all of some values of the unit.
  func digits(_ values: [Double]) -> Digits {
    switch self {
    case .money: .money(values)
    case .share: .shares(values)
    case .plain: .plain(values)
    }
  }

  /// A lift as it is shown: what is not money cannot fall by more than all of it, whatever an interval says; money can,
  /// where refunds outweigh charges.
  func shown(lift: Double) -> Double {
    switch self {
    case .money: lift
    case .share, .plain: max(-1, lift)
    }
  }

  func shown(lifts: Interval) -> Interval? { Interval(shown(lift: lifts.low), shown(lift: lifts.high)) }

  /// What stands behind a number: ` USD`, ` %`, nothing.
  var suffix: String {
    switch self {
    case .money(let currency): " \(currency)"
    case .share: " %"
    case .plain: ""
    }
  }

  /// `3.9 % to 4.72 %`.
  func words(_ interval: Interval) -> String { "\(words(interval.low)) to \(words(interval.high))" }
}

/// An exact sum of money.
struct Money {
  /// In millionths of the currency's unit.
  let micros: Int128
  let currency: String

  /// In units of the currency, rounded to what a `Double` can tell.
  var units: Double { Double(micros) / 1_000_000 }

  /// `12.34 USD`.
  var words: String { Unit.money(currency: currency).words(units) }

  /// A price with all its decimals: `0.001 USD`.
  var exactWords: String { "\(Phrase.decimal(units, decimals: 6)) \(currency)" }
}
