import Simulation
import Statistics

/// Users of a paywall: most pay nothing, the rest what subscriptions and one-time purchases come to in a month.
///
/// The mean of all users is as skewed as such revenue is: at 5 % payers its skewness is about 11, with whales 45.
struct Revenue: Sendable {
  /// What payers have paid, in micros, and how many of them did.
  private let prices: [(micros: Int128, weight: Double)]
  /// The share of users who pay.
  let share: Double
  private let paid: AliasTable

  /// Three days' access, weekly with renewals, monthly, yearly, for life.
  private static let usual: [(micros: Int128, weight: Double)] = [
    (2_990_000, 0.15), (7_990_000, 0.20), (15_980_000, 0.12), (23_970_000, 0.08), (31_960_000, 0.10),
    (12_990_000, 0.08), (25_980_000, 0.04), (49_990_000, 0.20), (149_990_000, 0.03),
  ]

  /// - Parameter hasWhales: one payer in 200 has spent 999.99.
  init(share: Double, hasWhales: Bool = false) {
    self.share = share
    prices = Self.usual + (hasWhales ? [(999_990_000, 0.005)] : [])
    paid = AliasTable(weights: prices.map(\.weight))
  }

  /// The true mean of all users, in units.
  var mean: Double { share * meanOfPayers }

  /// The true mean of those who pay, in units.
  var meanOfPayers: Double { moment(1) }

  /// The true variance of all users.
  var variance: Double { share * moment(2) - mean * mean }

  private func moment(_ power: Int) -> Double {
    let weights = prices.reduce(0) { $0 + $1.weight }
    return prices.reduce(0) { sum, price in
      let value = Double(price.micros) / 1e6
      return sum + price.weight / weights * (power == 1 ? value : value * value)
    }
  }

  /// What one payer has paid, in micros.
  func payment(_ random: inout RandomStream) -> Int128 { prices[paid.draw(&random)].micros }

  /// A group of a fixed number of users.
  func group(of users: Int) -> Crowd { Crowd(revenue: self, users: users) }

  /// Draws groups.
  struct Crowd: Sendable {
    let revenue: Revenue
    let users: Int
    private let payers: AliasTable

    fileprivate init(revenue: Revenue, users: Int) {
      self.revenue = revenue
      self.users = users
      payers = .binomial(users, revenue.share)
    }

    /// What one group of users comes to.
    func draw(_ random: inout RandomStream) -> Spending {
      var counts = [Int](repeating: 0, count: revenue.prices.count)
      for _ in 0..<payers.draw(&random) { counts[revenue.paid.draw(&random)] += 1 }
      var spending = Spending(users: users)
      for (price, count) in zip(revenue.prices, counts) where count > 0 {
        spending.add(price.micros, count)
      }
      return spending
    }
  }
}

/// What a group of users has paid: the sums of three metrics.
struct Spending: Sendable {
  private(set) var users: Int
  /// Did they pay: a proportion.
  private(set) var conversion = SufficientStatistics()
  /// Revenue per user, in micros: a mean.
  private(set) var revenue = SufficientStatistics()
  /// Revenue per payer, in micros: a ratio.
  private(set) var perPayer = SufficientStatistics()
  /// Users by what they paid, in micros.
  private(set) var values: [Int128: Int] = [:]

  init(users: Int) {
    self.users = users
    for path in [\Spending.conversion, \.revenue, \.perPayer] { self[keyPath: path].n = Int128(users) }
    values[0] = users
  }

  /// Makes payers of some of the users.
  mutating func add(_ micros: Int128, _ payers: Int) {
    let count = Int128(payers)
    conversion.sumY += count
    conversion.sumYY += count
    revenue.sumY += micros * count
    revenue.sumYY += micros * micros * count
    perPayer.sumY += micros * count
    perPayer.sumYY += micros * micros * count
    perPayer.sumX += count
    perPayer.sumXX += count
    perPayer.sumXY += micros * count
    values[micros, default: 0] += payers
    values[0, default: 0] -= payers
  }

  /// Adds other users.
  mutating func merge(_ other: Spending) {
    users += other.users
    _ = conversion.merge(other.conversion)
    _ = revenue.merge(other.revenue)
    _ = perPayer.merge(other.perPayer)
    values.merge(other.values, uniquingKeysWith: +)
  }
}
