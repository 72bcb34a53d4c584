@testable import Domain
@testable import Engine
@testable import Measurement

/// Where the one user of a small world stands: metrics at the cut-off in units of money, and the state.
struct StandingOfUser {
  /// Products with periods and subscription groups; the last two are of groups of their own.
  static let columns = "product_id,kind,period,trial,grace,subscription_group"
  static let products = [
    "monthly,auto_renewable,P1M,P14D,P16D,", "yearly,auto_renewable,P1Y,P14D,P16D,", "odd,auto_renewable,,,,",
    "pass,non_renewing,P3D,,,", "news,auto_renewable,P1M,P14D,P16D,papers", "maps,auto_renewable,P1M,P14D,P16D,travel",
  ]
  static let metrics = ["active_subscription", "set_to_renew", "mrr", "committed", "renewal_rate, window: none"]

  var active: Int128?
  var renewing: Int128?
  /// In cents.
  var monthly: Int128?
  var committed: Int128?
  /// Σy and Σx.
  var renewed: [Int128]
  var state: String

  init(_ measured: RunMeasurement) {
    let group = measured.offering?.groups.first
    let sums = group?.segments.first?.metrics.map { $0?.statistics } ?? []
    active = sums[0]?.sumY
    renewing = sums[1]?.sumY
    monthly = sums[2].map { $0.sumY / 10_000 }
    committed = sums[3].map { $0.sumY / 10_000 }
    renewed = [sums[4]?.sumY ?? -1, sums[4]?.sumX ?? -1]
    state = zip(UserState.allCases, group?.tables.states ?? []).first { $1 == 1 }?.0.name ?? ""
  }

  /// Of the user of these lines, whatever their order.
  static func of(
    _ lines: [String], format: String = "events", at time: String, assigned: String = "2026-03-01T00:00:00Z"
  ) async throws -> StandingOfUser {
    var world = SourceWorld(format, lines)
    world.world.assignments = ["u1,test,control,\(assigned)"]
    world.world.productColumns = columns
    world.world.products = products
    world.world.metrics = metrics.map { "{name: \($0)}" }
    world.world.asOf = time
    return StandingOfUser(try await world.measure())
  }
}
