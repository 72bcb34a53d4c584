import Foundation

/// The bounds of a test that is read several times and ends at the first look that leaves them.
///
/// The density of the score inside the bounds is carried from look to look (``ScoreDensity``), and each bound leaves as much
/// outside as may be spent by then (Jennison & Turnbull 2000, chapters 7 and 19). A look that brings next to no information
/// has the bound of the look before it, with what may be spent by now.
struct SequentialBounds {
  /// ±c_k, or c_k above alone.
  let isTwoSided: Bool
  /// Of look k, in standard errors; infinite where nothing may be spent yet.
  private(set) var bounds: [Double] = []

  /// What is inside the bounds at the last look that brought information, and at the one before that.
  private var last = ScoreDensity.start
  private var before = ScoreDensity.start
  /// What had been spent before the last look that brought information, and with it.
  private var spentBefore = 0.0
  private var spent = 0.0

  /// Less information than this share of what there was is none: the carrying would take many steps for it.
  private static let leastGain = 1.0 / 400

  init(isTwoSided: Bool = true) {
    self.isTwoSided = isTwoSided
  }

  /// Adds the next look.
  ///
  /// - Parameters:
  ///   - information: I_k, not less than at the look before.
  ///   - spent: what may be spent by then in all, on both sides together.
  mutating func add(information: Double, spent: Double) {
    guard information > 0 else { return bounds.append(.infinity) }
    if information > last.information * (1 + Self.leastGain) {
      before = last
      spentBefore = self.spent
    }
    self.spent = max(self.spent, spent)
    let step = before.step(to: max(information, last.information))
    let bound = bound(of: step, leaving: self.spent - spentBefore)
    let edge = min(bound, 9) * step.information.squareRoot()
    last = step.inside(low: isTwoSided ? -edge : -.infinity, high: edge)
    bounds.append(bound)
  }

  /// The bound with so much of the density outside.
  private func bound(of step: ScoreDensity.Step, leaving probability: Double) -> Double {
    guard probability > 0 else { return .infinity }
    let root = step.information.squareRoot()
    let bound = Inversion.root(start: 3, low: 0, high: 40, isIncreasing: true) { bound in
      let (value, slope) = step.outside(bound * root, isTwoSided: isTwoSided)
      // In logarithms: what is left falls as a normal tail does.
      return value > 0 ? (log(probability) - log(value), slope * root / value) : (1, 0)
    }
    return bound.map { $0 >= 40 ? .infinity : $0 } ?? .infinity
  }

  /// The probability that stays inside the bounds: what they leave, of a statistic without drift.
  var inside: Double { last.mass }
}
