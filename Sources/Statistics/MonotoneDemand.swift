/// A demand curve that does not rise with the price: of all such curves the one nearest to what was seen.
///
/// Weighted least squares under q₁ ≥ q₂ ≥ …, by pooling adjacent violators (Ayer, Brunk, Ewing, Reid & Silverman 1955,
/// "An empirical distribution function for sampling with incomplete information"; of shares weighted by users it is the
/// maximum likelihood too).
public enum MonotoneDemand {
  /// The curve at each price.
  ///
  /// - Parameters:
  ///   - demands: q by rising price.
  ///   - weights: how much each rests on, all above 0: users.
  public static func curve(demands: [Double], weights: [Double]) -> [Double] {
    var blocks: [(demand: Double, weight: Double, count: Int)] = []
    for (demand, weight) in zip(demands, weights) {
      blocks.append((demand, weight, 1))
      while let last = blocks.last, blocks.count > 1, blocks[blocks.count - 2].demand < last.demand {
        blocks.removeLast()
        let before = blocks.removeLast()
        let together = before.weight + last.weight
        let mean = (before.demand * before.weight + last.demand * last.weight) / together
        blocks.append((mean, together, before.count + last.count))
      }
    }
    return blocks.flatMap { Array(repeating: $0.demand, count: $0.count) }
  }
}
