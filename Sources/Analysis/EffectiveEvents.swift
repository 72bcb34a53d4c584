import Foundation
import Measurement
import Statistics

/// How many equal events the sums of two groups rest on, and how many it takes to decide between them.
///
/// With few payers a mean's variance is too small just when the mean is low. In equal groups most of that cancels; the smaller
/// of unequal ones then seems to differ.
struct EffectiveEvents: Sendable, Hashable {
  /// The thinner group's (Σy)²/Σy², or of a ratio's denominator (Σx)²/Σx².
  let count: Double
  /// The same where the smaller group is as it would be with its part of both groups' values, if that is less: a group that has
  /// not met the giants that the other has knows nothing of them.
  private let shared: Double
  /// The squared skewness of the difference of two means, as a part of what it is at nine users to one; 1 beyond that.
  private let unevenness: Double

  /// On so many the sums of a mean or a ratio must rest where one difference is decided at α.
  static let minimum = 30

  /// Nil but for means and ratios.
  init?(_ a: SampleMoments, _ b: SampleMoments, of kind: ResultKind) {
    guard kind == .mean || kind == .ratio else { return nil }
    let count = min(a.effectiveEvents, b.effectiveEvents)
    let both = (try? a.merging(b))?.effectiveEvents
    self.count = count
    shared = both.map { min(count, $0 * min(a.n, b.n) / max(1, a.n + b.n)) } ?? count
    unevenness = min(1, Self.unevenness(a.n, b.n) / Self.unevenness(9, 1))
  }

  /// The skewness of a difference of means of n_A and n_B alike users is γ·|n_A − n_B|/√(n_A·n_B·(n_A + n_B)): the square, over
  /// that of the smaller group's own mean, γ²/n.
  private static func unevenness(_ a: Double, _ b: Double) -> Double {
    let most = max(a, b)
    return most > 0 ? (a - b) * (a - b) / (most * (a + b)) : 0
  }

  /// What there is too little of for a decision at a share of α, because many are made, and at a level farther out in the
  /// tail, because it is early; nil where there is enough.
  ///
  /// A mean's tail is off by a factor of about exp(γz³/6√n), with γ/√n its skewness (Cramér 1938, "Sur un nouveau
  /// théorème-limite de la théorie des probabilités"), and z² grows as −2 ln of the level: so that the factor stays what it
  /// is at α, events grow with the third power of the level's logarithm. Of a look farther out, which a single difference
  /// takes too, they grow with the squared skewness of that difference as well: not at all in equal groups.
  ///
  /// - Parameter level: that of a single normal statistic at this look.
  func scarcity(shareOfAlpha share: Double, level: Double, alpha: Double) -> Scarcity? {
    guard share > 0, level > 0 else { return nil }
    func growth(_ level: Double) -> Double {
      let ratio = log(level) / log(alpha)
      return ratio * ratio * ratio
    }
    let minimum = Double(Self.minimum)
    let ofMany = minimum * max(1, growth(share * alpha))
    if count < ofMany { return .effectiveEvents(count, needed: ofMany) }
    guard level < share * alpha else { return nil }
    let ofLook = minimum * max(1, unevenness * growth(level))
    return shared < ofLook ? .effectiveEvents(shared, needed: ofLook) : nil
  }
}

extension SampleMoments {
  /// (Σy)²/Σy²; of a ratio the smaller of that and (Σx)²/Σx².
  var effectiveEvents: Double { kind == .ratio ? min(effectiveY, effectiveX) : effectiveY }
}
