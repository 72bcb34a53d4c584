import Foundation

/// Whether users fell into groups in the same shares on all days, whatever these shares are.
///
/// An e-value that may be read after every day (Ville's inequality: under shares that never change it exceeds 1/α in
/// one of α tests, however often one looks). Its numerator is a probability of the users' groups in their order: half
/// of it that of shares which change once, on any day, half that of shares of each day's own, each time with
/// Jeffreys' Dirichlet prior (α = ½), so that they are Dirichlet-multinomials. Its denominator is the largest
/// probability that one set of shares gives to them, which is at least that of the true one (Wasserman, Ramdas &
/// Balakrishnan 2020, "Universal inference"; of known weights Lindon & Malek 2022).
public struct SharesOverTime: Sendable, Hashable {
  /// min(1, 1/e): may be read after every day.
  public let pValue: Double
  /// The day before which the shares most likely changed, an index of the days; `nil` with fewer than two days.
  public let change: Int?

  /// - Parameter days: for each day its users by group, days in order, groups in one order.
  /// - Returns: `nil` unless there are two groups or more, and users.
  public init?(days: [[Int]]) {
    guard let groups = days.first?.count, groups > 1, days.allSatisfy({ $0.count == groups }),
      days.allSatisfy({ $0.allSatisfy { $0 >= 0 } })
    else { return nil }
    let days = days.map { $0.map(Double.init) }
    let total = days.reduce(into: [Double](repeating: 0, count: groups)) { sum, day in
      for group in day.indices { sum[group] += day[group] }
    }
    let users = total.reduce(0, +)
    guard users > 0, users < 9e15 else { return nil }
    let odds = Odds(shares: total.map { $0 / users })
    let changed = odds.changedOnce(days, total)
    pValue = min(1, exp(log(2) - Odds.logSum([changed.log, days.reduce(0) { $0 + odds.log($1) }])))
    change = changed.day
  }
}

/// How much likelier users' groups are than by one set of shares, in logarithms.
///
/// Of a Dirichlet-multinomial probability what counts is taken together by Stirling's formula: how far the users' own
/// shares are from the others, a deviance, and what it costs not to have known them, ½·(groups − 1)·ln(users) or so.
private struct Odds {
  let shares: [Double]

  /// ln of the Dirichlet-multinomial probability over that by the shares.
  func log(_ counts: [Double]) -> Double {
    let users = counts.reduce(0, +)
    guard users > 0 else { return 0 }
    let gain = zip(counts, shares).reduce(0) { sum, part in
      sum + Stirling.deviance(excess: part.0 - users * part.1, mean: users * part.1)
    }
    return gain - Self.cost(counts, users)
  }

  /// ln of Π(nᵢ/N)^nᵢ over B(½ + n)/B(½): what is lost by not having known the users' own shares.
  private static func cost(_ counts: [Double], _ users: Double) -> Double {
    let groups = Double(counts.count)
    let all = groups / 2 + users
    var cost = users * log1p(groups / 2 / users) + (groups - 1) / 2 * Foundation.log(all) + Stirling.error(all)
    cost += groups * lgamma(0.5) - lgamma(groups / 2) - (groups - 1) * Stirling.halfLogTwoPi
    for count in counts { cost -= (count > 0 ? count * log1p(0.5 / count) : 0) + Stirling.error(0.5 + count) }
    return cost
  }

  /// ln Σ_τ π_τ·P(days before τ)·P(days from τ on): π_τ = 1/(τ(τ + 1)) for a change before day τ = 1, 2, …, and what
  /// is left of it for changes that are still to come; and the τ that counts most.
  func changedOnce(_ days: [[Double]], _ total: [Double]) -> (log: Double, day: Int?) {
    var before = [Double](repeating: 0, count: total.count)
    var terms: [Double] = []
    for (position, day) in days.dropLast().enumerated() {
      for group in before.indices { before[group] += day[group] }
      let tau = Double(position + 1)
      terms.append(log(before) + log(zip(total, before).map { $0 - $1 }) - Foundation.log(tau * (tau + 1)))
    }
    let best = terms.indices.max { terms[$0] < terms[$1] }
    return (Self.logSum(terms + [log(total) - Foundation.log(Double(days.count))]), best.map { $0 + 1 })
  }

  /// ln Σ eˣ.
  static func logSum(_ logs: [Double]) -> Double {
    guard let largest = logs.max(), largest.isFinite else { return -.infinity }
    return largest + Foundation.log(logs.reduce(0) { $0 + exp($1 - largest) })
  }
}
