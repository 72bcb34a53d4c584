import Domain
import Measurement
import Statistics

/// What a group's payers paid first, and what that brings: means over their first charges, each product as often as it
/// was bought.
struct SoldPrices {
  let group: Identifier
  /// Measured users whose window has ended.
  let users: Int
  /// Those of them with a charge above 0 in the window.
  let payers: Int
  /// The price of a first charge; nil where nobody paid.
  let price: MeanFrame?
  /// What a first charge brings: the part of its price that is kept, less what a charge costs.
  let margin: MeanFrame?
  /// What the first charges bring for each user, payer or not.
  let earned: MeanFrame?

  /// - Parameter unitCost: what a charge costs, in units of the reporting currency.
  init(_ group: GroupMeasurement, unitCost: Double) {
    let payments = group.tables.payments
    self.group = group.id
    users = payments.users
    payers = payments.payers
    let firsts = payments.products.compactMap(FirstCharges.init)
    price = Spread(firsts.map(\.spread))?.frame
    let margins = Spread(firsts.map { $0.margins(unitCost: unitCost) })
    margin = margins?.frame
    unevenness = margins?.unevenness
    earned = margins?.frame(among: users)
  }

  /// The share of users who paid; nil without users.
  var conversion: Double? { GroupRows.share(payers, of: users) }

  /// Payers among users, as a proportion's moments.
  var moments: SampleMoments? {
    let paid = Int128(payers)
    return try? SampleMoments(SufficientStatistics(n: Int128(users), sumY: paid, sumYY: paid), kind: .proportion)
  }

  /// How unequal the first charges are in what they bring: Σm²·k/(Σm)² of k payers, 1 where all bring one sum; nil where
  /// it is not known.
  private let unevenness: Double?

  /// Too few for a word on what the prices do, as of every metric's decision: users, or so many equal charges as the
  /// payers' stand for (Kish 1965).
  ///
  /// Of all groups the most unequal charges count: a small group that nobody of has bought the dear product yet seems to
  /// know its mean price exactly, and 8 % of tests in which nothing differs would be called in 28 looks.
  static func areThin(_ groups: [SoldPrices]) -> Bool {
    guard !groups.contains(where: { $0.unevenness == nil }) else { return true }
    let unevenness = groups.compactMap(\.unevenness).max() ?? 1
    return groups.contains { group in
      Int128(group.users) < Scarcity.minimumUsers
        || Double(group.payers) / unevenness < Double(EffectiveEvents.minimum)
    }
  }
}

/// The first charges that were of one product.
private struct FirstCharges {
  /// Of their prices, in units of the currency.
  let spread: Spread
  /// The part of the price that is kept.
  let retainedShare: Double

  /// Nil where the product was nobody's first.
  init?(_ product: GroupPayments.Product) {
    let sums = product.all
    guard sums.firsts > 0 else { return nil }
    retainedShare = product.retainedShare
    let micros = 1_000_000.0
    spread = Spread(
      count: Double(sums.firsts), mean: Double(sums.firstGross) / Double(sums.firsts) / micros,
      squares: Self.squares(sums).map { $0 / (micros * micros) })
  }

  func margins(unitCost: Double) -> Spread {
    Spread(
      count: spread.count,
      mean: BreakEven.margin(price: spread.mean, retainedShare: retainedShare, unitCost: unitCost),
      squares: spread.squares.map { $0 * retainedShare * retainedShare })
  }

  /// Σ(x − x̄)² in squared micros, 0 exactly where all are alike; nil where the squares have left 128 bits.
  private static func squares(_ sums: GroupPayments.Sums) -> Double? {
    guard sums.firstSquares != .max else { return nil }
    let (left, leftIsTooLarge) = sums.firstSquares.multipliedReportingOverflow(by: Int128(sums.firsts))
    let (right, rightIsTooLarge) = sums.firstGross.multipliedReportingOverflow(by: sums.firstGross)
    guard !leftIsTooLarge, !rightIsTooLarge else { return nil }
    return Double(left - right) / Double(sums.firsts)
  }
}

/// A number of values by their mean and their squared distances from it.
private struct Spread {
  let count: Double
  let mean: Double
  /// Σ(x − x̄)²; nil where it is not known.
  let squares: Double?

  init(count: Double, mean: Double, squares: Double?) {
    self.count = count
    self.mean = mean
    self.squares = squares
  }

  /// All of several; nil where there are none.
  init?(_ parts: [Spread]) {
    guard let first = parts.first else { return nil }
    let count = parts.reduce(0) { $0 + $1.count }
    // From the first on, so that parts of one mean have just that mean.
    let mean = first.mean + parts.reduce(0) { $0 + $1.count * ($1.mean - first.mean) } / count
    self.init(
      count: count, mean: mean,
      squares: parts.reduce(0) { sum, part in
        sum.flatMap { sum in part.squares.map { sum + $0 + part.count * (part.mean - mean) * (part.mean - mean) } }
      })
  }

  var frame: MeanFrame? { Self.frame(count, mean, squares) }

  /// Σx²·n/(Σx)²; nil where it is not known.
  var unevenness: Double? { squares.flatMap { mean == 0 ? nil : 1 + $0 / (count * mean * mean) } }

  /// The mean over so many, all others of whom have 0.
  func frame(among everybody: Int) -> MeanFrame? {
    let n = Double(everybody)
    guard n > 0 else { return nil }
    return Self.frame(n, mean * count / n, squares.map { $0 + count * mean * mean * (1 - count / n) })
  }

  private static func frame(_ n: Double, _ mean: Double, _ squares: Double?) -> MeanFrame? {
    MeanFrame(n: n, mean: mean, squaredError: squares.map { $0 / (n - 1) / n }, degreesOfFreedom: n - 1)
  }
}
