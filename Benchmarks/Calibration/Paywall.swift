import Simulation
import Statistics

/// A paywall as its owner measures it: eight primary metrics of the same users.
struct Paywall: Sendable {
  private let revenue: Revenue
  private let payers: AliasTable
  private let triers: AliasTable
  private let users: Int

  /// Three shares of payers, trials, three means of money, and how many trials are paid for in the end.
  static let metrics: [SimulatedNight.Metric] = {
    let shares = ["payers", "early payers", "subscribers", "trials"].map { SimulatedNight.Metric($0, .proportion) }
    let means = ["revenue", "early revenue", "proceeds"].map { name in
      var metric = SimulatedNight.Metric(name, .mean)
      metric.isMoney = true
      return metric
    }
    var paidTrials = SimulatedNight.Metric("trial to paid", .ratio)
    paidTrials.perUser = .proportion
    return shares + means + [paidTrials]
  }()

  /// - Parameter users: users who join a night.
  init(_ revenue: Revenue, users: Int) {
    self.revenue = revenue
    self.users = users
    payers = .binomial(users, revenue.share)
    triers = .binomial(users, 2.5 * revenue.share)
  }

  /// A night's users join a group.
  func join(_ group: inout Users, _ random: inout RandomStream) {
    let paying = payers.draw(&random)
    let trying = min(users - paying, triers.draw(&random))
    for _ in 0..<paying {
      let payment = revenue.payment(&random)
      // Six in ten pay in the first week, seven in ten subscribe, half after a trial, one in twenty is refunded.
      let (isEarly, isSubscriber) = (random.uniform() < 0.6, random.uniform() < 0.7)
      let (hadTrial, isRefunded) = (random.uniform() < 0.5, random.uniform() < 0.05)
      group.add(
        shares: [true, isEarly, isSubscriber, hadTrial],
        money: [payment, isEarly ? payment : 0, isRefunded ? 0 : payment * 7 / 10])
    }
    group.addUnpaid(trials: trying, others: users - paying - trying)
  }

  /// The users of a group so far.
  struct Users: Sendable {
    private var sums = Paywall.metrics.map { _ in SufficientStatistics() }
    private var largest = Paywall.metrics.map { _ in [Int128]() }

    var group: SimulatedNight.Group {
      var group = SimulatedNight.Group(users: Int(sums[0].n), sums: sums)
      group.largest = largest
      return group
    }

    /// A payer, by the shares and the means in the metrics' order.
    fileprivate mutating func add(shares: [Bool], money: [Int128]) {
      for (metric, happened) in shares.enumerated() { _ = sums[metric].add(y: happened ? 1 : 0) }
      for (position, micros) in money.enumerated() {
        let metric = shares.count + position
        _ = sums[metric].add(y: micros)
        retain(micros, of: metric)
      }
      let hadTrial: Int128 = shares[3] ? 1 : 0
      _ = sums[7].add(y: hadTrial, x: hadTrial)
    }

    private mutating func retain(_ micros: Int128, of metric: Int) {
      guard largest[metric].count < 10 || micros > largest[metric][9] else { return }
      let position = largest[metric].firstIndex { $0 < micros } ?? largest[metric].count
      largest[metric].insert(micros, at: position)
      if largest[metric].count > 10 { largest[metric].removeLast() }
    }

    /// Users who do not pay.
    fileprivate mutating func addUnpaid(trials: Int, others: Int) {
      for metric in 0..<7 {
        _ = sums[metric].add(y: metric == 3 ? 1 : 0, count: Int128(trials))
        _ = sums[metric].add(y: 0, count: Int128(others))
      }
      _ = sums[7].add(y: 0, x: 1, count: Int128(trials))
      _ = sums[7].add(y: 0, x: 0, count: Int128(others))
    }
  }
}
