import Measurement
import Statistics

/// Whether a difference of means or ratios is shown even where a group's small spread is chance.
///
/// The smaller of unequal groups often lacks the few largest payments. Its mean is then low and its variance too small just
/// because of that, and Welch's test takes the difference for shown. Two like groups have one variance,
/// s² = Σ(n_g − 1)·s_g² / (N − 2), and squared standard error s²·(1/n_A + 1/n_B). Groups that differ by a factor, as prices do,
/// have one coefficient of variation, CV² = Σ(n_g − 1)·(s_g/m_g)² / (N − 2), and CV²·(m_A²/n_A + m_B²/n_B). A difference has to be
/// shown at the smaller of both, too. In groups of one size the first is Welch's, and nothing more is asked.
struct EvenSpread: Sendable, Hashable {
  /// That standard error in parts of Welch's, at least 1.
  let factor: Double

  /// Nil but for means, and for ratios that are no shares of users.
  init?(_ a: SampleMoments, _ b: SampleMoments, of kind: ResultKind) {
    guard kind == .mean || kind == .ratio && !(a.isShareOfUsers && b.isShareOfUsers),
      let means = Self.pair(a.value, b.value), let variances = Self.pair(a.variance, b.variance), a.n + b.n > 2
    else { return nil }
    let squares = (means.0 * means.0, means.1 * means.1)
    func pooled(_ one: Double, _ other: Double) -> Double { ((a.n - 1) * one + (b.n - 1) * other) / (a.n + b.n - 2) }
    let like = pooled(variances.0, variances.1) * (1 / a.n + 1 / b.n)
    let scaled = pooled(variances.0 / squares.0, variances.1 / squares.1) * (squares.0 / a.n + squares.1 / b.n)
    let own = variances.0 / a.n + variances.1 / b.n
    // Where a mean is 0 no factor leads from one group to the other.
    let share = (scaled.isFinite ? min(like, scaled) : like) / own
    guard share.isFinite else { return nil }
    factor = max(1, share.squareRoot())
  }

  private static func pair(_ a: Double?, _ b: Double?) -> (Double, Double)? { a.flatMap { a in b.map { (a, $0) } } }

  /// What is lacking where the deciding test does not show the difference at that standard error; nil where it does.
  ///
  /// - Parameter share: the share of α that the family leaves.
  func scarcity(of comparison: Comparison?, shareOfAlpha share: Double, alpha: Double) -> Scarcity? {
    guard let comparison, let difference = comparison.absDiff, let error = comparison.standardError,
      let needed = comparison.decidingMultiplier(level: share * alpha)
    else { return nil }
    let observed = abs(difference) / (error * factor)
    return observed < needed ? .evenSpread(observed, needed: needed) : nil
  }
}
