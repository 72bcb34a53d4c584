import Foundation
import Synchronization

/// The looks at a test whose end is planned, and the bounds that a spending of the level leaves for them.
///
/// A look knows how much of the plan is over and how much information there is. Bounds depend on nothing else: on no
/// result, and on no look that is still to come. What is not spent by the planned last look is spent there, whatever
/// information came (Lan & DeMets 1989, "Changing frequency of interim analysis in sequential monitoring").
public final class PlannedLooks: Sendable {
  /// What bounds follow from of a look.
  public struct Point: Sendable, Hashable {
    /// The part of the plan that is over: 1 at its last look.
    public var time: Double
    /// n_A·n_B/(n_A + n_B), or anything in proportion to it.
    public var information: Double

    /// Takes both.
    public init(time: Double, information: Double) {
      (self.time, self.information) = (time, information)
    }
  }

  /// In their order; those behind the planned end are not among them.
  public let points: [Point]
  /// How the level is spent.
  public let spending: SpendingFunction
  private let isTwoSided: Bool
  /// By the level: a bound for each look.
  private let known = Mutex<[Double: [Double]]>([:])

  /// Takes the looks, whose times and information do not fall.
  public init(_ points: [Point], spending: SpendingFunction = .oBrienFleming, isTwoSided: Bool = true) {
    self.points = points
    self.spending = spending
    self.isTwoSided = isTwoSided
  }

  /// What bounds follow from.
  private struct Design: Hashable {
    let points: [Point]
    let spending: SpendingFunction
  }

  private static let made = Mutex<[Design: PlannedLooks]>([:])
  private static let mostMade = 4096

  /// The looks at these points, made once: all comparisons of as many users have the same bounds.
  public static func shared(_ points: [Point], spending: SpendingFunction = .oBrienFleming) -> PlannedLooks {
    let design = Design(points: points, spending: spending)
    return made.withLock { made in
      if let looks = made[design] { return looks }
      if made.count >= mostMade { made.removeAll() }
      let looks = PlannedLooks(points, spending: spending)
      made[design] = looks
      return looks
    }
  }

  /// So many looks, equally far apart, that each bring the same.
  public static func evenly(_ count: Int) -> PlannedLooks {
    shared((1...max(1, count)).map { Point(time: Double($0) / Double(count), information: Double($0)) })
  }

  /// The share of the last look's information that each has; `nil` where that brings none.
  var shares: [Double]? {
    guard let all = points.last?.information, all > 0 else { return nil }
    return points.map { $0.information / all }
  }

  // MARK: - Bounds

  /// c_k of every look, in standard errors, for a level that is spent on both sides together: ones of those on a ladder of
  /// levels, two steps of which halve it.
  ///
  /// One-sided looks spend the level on the one side.
  public func bounds(level: Double) -> [Double] {
    if let bounds = known.withLock({ $0[level] }) { return bounds }
    var sequence = SequentialBounds(isTwoSided: isTwoSided)
    for point in points {
      let spent =
        isTwoSided
        ? 2 * spending.spent(level: level / 2, at: point.time) : spending.spent(level: level, at: point.time)
      sequence.add(information: point.information, spent: spent)
    }
    known.withLock { $0[level] = sequence.bounds }
    return sequence.bounds
  }

  /// The bound of a look at any level, between those of a ladder of levels that `base` is on.
  ///
  /// - Parameter look: from 0.
  func bound(level: Double, look: Int, base: Double) -> Double {
    let position = log2(level / base) * 2
    let step = Step(position: position.rounded(.down), look: look, base: base, in: self)
    return step.square(at: position).squareRoot()
  }

  /// The level at which a look's bound is |z|, so that every higher one finds a difference: the p-value of a test that is
  /// read up to this look (Jennison & Turnbull 2000, section 8.4: of the repeated test).
  func pValue(statistic z: Double, look: Int, base: Double) -> Double {
    let square = z * z
    // From the ladder's top, beyond which nothing is left to spend, down to levels that nobody asks for.
    var (low, high) = (Self.lowest, (-2 * log2(base)).rounded(.down) - 1)
    func isBeyond(_ position: Double) -> Bool {
      let bound = bounds(level: Self.level(position, base))[look]
      return square > bound * bound
    }
    guard isBeyond(high) else { return 1 }
    if isBeyond(low) { return Self.level(low, base) }
    while high - low > 1 {
      let middle = ((low + high) / 2).rounded(.down)
      if isBeyond(middle) { high = middle } else { low = middle }
    }
    let step = Step(position: low, look: look, base: base, in: self)
    var (below, above) = (low, high)
    for _ in 0..<60 {
      let middle = (below + above) / 2
      if square > step.square(at: middle) { above = middle } else { below = middle }
    }
    return Self.level(above, base)
  }

  /// The ladder's lowest step.
  private static let lowest = -80.0

  private static func level(_ position: Double, _ base: Double) -> Double { base * exp2(position / 2) }

  /// c² between two steps of the ladder, a parabola through those and the one below them in the logarithm of the level.
  private struct Step {
    let position: Double
    /// c² at the step below, at the step and at the one above.
    let squares: (below: Double, at: Double, above: Double)

    init(position: Double, look: Int, base: Double, in looks: PlannedLooks) {
      func square(_ position: Double) -> Double {
        let level = PlannedLooks.level(position, base)
        guard level < 1 else { return 0 }
        let bound = looks.bounds(level: level)[look]
        return bound * bound
      }
      self.position = position
      squares = (square(position - 1), square(position), square(position + 1))
    }

    func square(at position: Double) -> Double {
      let x = position - self.position
      let (slope, bend) = (
        (squares.above - squares.below) / 2, (squares.above - 2 * squares.at + squares.below) / 2
      )
      // A bound is infinite where a level is too small to have anything to spend.
      guard squares.below.isFinite else { return squares.at + x * (squares.above - squares.at) }
      return max(0, squares.at + x * (slope + x * bend))
    }
  }
}
