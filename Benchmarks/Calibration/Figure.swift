import Foundation
import Simulation

/// One number that the simulations are to show: how often something happens.
struct Figure: Sendable {
  /// What it is: `Welch, revenue, 10,000 users a group`.
  let what: String
  let band: Band
  /// Why it may lie outside of the band.
  var note = ""

  /// What is wanted of it.
  enum Band: Sendable {
    /// Within a distance of a value.
    case around(Double, Double)
    /// Between two values.
    case within(Double, Double)
    /// No more than a value.
    case atMost(Double)
    /// No less than a value.
    case atLeast(Double)
    /// Nothing: it is there to be compared with.
    case none
  }

  /// A test's level: 5 % ± 0.3.
  static func level(_ what: String, note: String = "") -> Figure {
    Figure(what: what, band: .around(0.05, 0.003), note: note)
  }

  /// An interval's coverage: 95 % ± 0.5.
  static func coverage(_ what: String, note: String = "") -> Figure {
    Figure(what: what, band: .around(0.95, 0.005), note: note)
  }
}

extension Figure.Band {
  /// Whether a share lies within the band, `slack` being what chance may add.
  func holds(_ share: Double, slack: Double = 0) -> Bool {
    switch self {
    case .around(let value, let distance): abs(share - value) <= distance + slack
    case .within(let least, let most): share >= least - slack && share <= most + slack
    case .atMost(let limit): share <= limit + slack
    case .atLeast(let limit): share >= limit - slack
    case .none: true
    }
  }

  /// `5 % ± 0.3`.
  var words: String {
    switch self {
    case .around(let value, let distance): "\(Percent.text(value)) ± \(Percent.digits(distance, decimals: 1))"
    case .within(let least, let most): "\(Percent.digits(least, decimals: 2)) to \(Percent.text(most))"
    case .atMost(let limit): "≤ \(Percent.text(limit))"
    case .atLeast(let limit): "≥ \(Percent.text(limit))"
    case .none: "–"
    }
  }
}

/// How often something happened, or how much of one thing there is for another.
struct Tally: Sendable {
  private(set) var trials = 0
  /// Trials that had nothing to show: no interval could be computed.
  private(set) var missing = 0
  private var parts = Moments()
  private var wholes = Moments()
  private var products = 0.0

  mutating func add(_ happened: Bool) { add(share: happened ? 1 : 0) }

  /// Adds whether something happened; nil where it could not be seen.
  mutating func add(_ happened: Bool?) {
    if let happened { add(happened) } else { missing += 1 }
  }

  /// Adds a share between 0 and 1.
  mutating func add(share: Double) { add(share, of: 1) }

  /// Adds an amount to what is seen, and to what it is held against.
  mutating func add(_ part: Double, of whole: Double) {
    trials += 1
    parts.add(part)
    wholes.add(whole)
    products += part * whole
  }

  mutating func merge(_ other: Tally) {
    trials += other.trials
    missing += other.missing
    parts.merge(other.parts)
    wholes.merge(other.wholes)
    products += other.products
  }

  /// How often it happened, as a share: the sum of the parts over that of the wholes.
  var share: Double { trials > 0 ? parts.sum / wholes.sum : .nan }

  /// The standard error of the share: that of a ratio of means, by the delta method.
  var standardError: Double {
    guard trials > 1 else { return .infinity }
    let rests = parts.squares - 2 * share * products + share * share * wholes.squares
    let n = Double(trials)
    return (max(0, rests) * n / (n - 1)).squareRoot() / abs(wholes.sum)
  }

  private struct Moments: Sendable {
    var sum = 0.0
    var squares = 0.0

    mutating func add(_ value: Double) {
      sum += value
      squares += value * value
    }

    mutating func merge(_ other: Moments) {
      sum += other.sum
      squares += other.squares
    }
  }
}

/// Shares as the page prints them.
enum Percent {
  /// `5 %`, `0.1 %`.
  static func text(_ share: Double) -> String { digits(share, decimals: 2) + " %" }

  /// Percent without the sign, zeros at the end left out.
  static func digits(_ share: Double, decimals: Int) -> String {
    var text = String(format: "%.\(decimals)f", share * 100)
    while text.contains("."), text.last == "0" || text.last == "." {
      if text.removeLast() == "." { break }
    }
    return text
  }

  /// Percent with all its decimals.
  static func fixed(_ share: Double, decimals: Int) -> String { String(format: "%.\(decimals)f", share * 100) }
}
