/// Fisher's exact test of a 2×2 table, given its margins.
public struct FisherTest: Sendable, Hashable {
  /// The successes of the first group.
  let successes: Double
  let distribution: Hypergeometric

  /// Makes the test of `successesA` of `usersA` against `successesB` of `usersB`.
  ///
  /// `nil` for an impossible table, an empty group, or more users than a double counts.
  public init?(successesA: Int, usersA: Int, successesB: Int, usersB: Int) {
    guard successesA >= 0, successesB >= 0, successesA <= usersA, successesB <= usersB,
      usersA > 0, usersB > 0, usersA < 1 << 51, usersB < 1 << 51,
      let distribution = Hypergeometric(
        total: usersA + usersB,
        marked: successesA + successesB,
        drawn: usersA
      )
    else { return nil }
    successes = Double(successesA)
    self.distribution = distribution
  }

  /// The smallest of the four counts expected when both groups are alike: (row total · column total)/N.
  public var smallestExpected: Double {
    let (total, marked, drawn) = (distribution.total, distribution.marked, distribution.drawn)
    return min(drawn, total - drawn) * (min(marked, total - marked) / total)
  }

  /// The probability of all tables no likelier than the observed one.
  ///
  /// Tables within 10⁻¹⁰ of the observed probability count as equally likely: true ties differ by rounding.
  public var twoSided: Double {
    let observed = successes
    let outward: Double = observed >= distribution.mode ? 1 : -1
    // Relative to the observed table: walk over the mode to the far side, adding what is no likelier.
    var (k, relative, far) = (observed, 1.0, 0.0)
    var isLikeliest = true
    while let next = step(k, -outward) {
      k -= outward
      relative *= next
      if relative > 1 + 1e-10 {
        isLikeliest = false
      } else if (distribution.mode - k) * outward >= 0 {
        far += relative
        if relative < 1e-18 * far { break }
      }
    }
    if isLikeliest { return 1 }
    return min(1, distribution.mass(observed) * (far + tail(from: observed, outward)))
  }

  /// The probability of at most the observed successes in the first group.
  public var less: Double {
    min(1, distribution.mass(successes) * tail(from: successes, -1))
  }

  /// The probability of at least the observed successes in the first group.
  public var greater: Double {
    min(1, distribution.mass(successes) * tail(from: successes, 1))
  }

  /// Σ pmf(j)/pmf(k) over j = k, k ± 1, … in one direction.
  private func tail(from start: Double, _ direction: Double) -> Double {
    var (k, relative, sum) = (start, 1.0, 1.0)
    while let next = step(k, direction) {
      k += direction
      relative *= next
      sum += relative
      if relative < 1e-18 * sum { break }
    }
    return sum
  }

  /// pmf(k ± 1)/pmf(k); `nil` at the end of the support.
  private func step(_ k: Double, _ direction: Double) -> Double? {
    if direction > 0 { return k < distribution.highest ? distribution.ratioUp(k) : nil }
    return k > distribution.lowest ? 1 / distribution.ratioUp(k - 1) : nil
  }
}
