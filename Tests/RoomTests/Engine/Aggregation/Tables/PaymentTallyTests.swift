import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// What is counted for a price test: exact, the same in every way of running.
@Suite("Payments by block and product")
struct PaymentTallyTests {
  /// 300 users in two groups, who pay for two products, renew, and get money back.
  private var world: World {
    var world = World()
    var dice = Dice(seed: 41)
    world.products = ["old,auto_renewable,,20,15", "new,auto_renewable,,,"]
    world.metrics = ["{name: revenue_net, window: 7d, primary: true}"]
    world.assignments = []
    for user in 0..<300 {
      let group = user % 2 == 0 ? "control" : "dear"
      world.assignments.append("u\(user),test,\(group),\(march(1 + user % 28))")
      guard dice.chance(0.4) else { continue }
      let product = group == "control" ? ["old", "5"] : ["new", "6"]
      for charge in 0..<(1 + dice.below(3)) {
        let fields = [
          "userId": "u\(user)", "productId": product[0], "price": product[1], "transactionId": "\(user)-\(charge)",
        ]
        world.events.append(event(charge == 0 ? "purchase" : "renewal", march(2 + user % 28 + charge), fields))
        if dice.chance(0.2) {
          world.events.append(
            event(
              "refund", march(3 + user % 28 + charge), ["userId": "u\(user)", "transactionId": "\(user)-\(charge)"]))
        }
      }
    }
    return world
  }

  @Test("Users whose window has ended, payers and first charges by hand")
  func byHand() async throws {
    var world = World()
    world.products = ["p,auto_renewable,,20,15", "free,auto_renewable,,,"]
    world.metrics = [
      "{name: revenue_gross, window: 30d}", "{name: paying_conversion, window: 1d, primary: true}",
      "{name: revenue_net, window: 7d, primary: true}",
    ]
    world.assignments = ["a", "b", "c"].map { "\($0),test,control,\(march(1))" } + ["late,test,control,\(march(28))"]
    world.events = [
      event("purchase", march(2), ["userId": "a", "transactionId": "1"]),
      event("renewal", march(4), ["userId": "a", "transactionId": "2", "price": "12.5"]),
      // Beyond the seven days of the money that leads.
      event("renewal", march(9), ["userId": "a", "transactionId": "3"]),
      event("refund", march(20), ["userId": "a", "transactionId": "2"]),
      event("purchase", march(2), ["userId": "b", "productId": "free", "price": "0"]),
      event("one_time_purchase", march(3), ["userId": "b", "productId": "q", "price": "3"]),
      event("purchase", march(29), ["userId": "late"]),
    ]
    let payments = try #require(try await world.measure().offering?.groups.first).tables.payments
    #expect(payments.users == 3 && payments.payers == 2)
    #expect(payments.products.map(\.id) == ["p", "q"])
    let p = payments.products[0]
    #expect(abs(p.retainedShare - 0.8 * 0.85) < 1e-12 && payments.products[1].retainedShare == 1)
    #expect(p.all.buyers == 1 && p.all.charges == 2 && p.all.gross == 22_500_000 && p.all.refunds == 12_500_000)
    #expect(p.all.firsts == 1 && p.all.firstGross == 10_000_000 && p.all.firstSquares == 100_000_000_000_000)
    #expect(payments.products[1].all.firsts == 1)
  }

  @Test("They are the same in memory, on the disk, in tasks and out of the store")
  func everyWay() async throws {
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    var reported: [[String]] = []
    for (way, found) in try await EveryWay(folder: folder, path: path).measure() {
      let groups = try #require(found.offering, Comment(rawValue: way)).groups
      reported.append(groups.flatMap { lines($0.tables.payments) })
      #expect(reported.last == reported.first, Comment(rawValue: way))
    }
    #expect(reported[0].count > 60)
  }

  private func lines(_ payments: GroupPayments) -> [String] {
    payments.blocks.map { "\($0)" }
      + payments.products.flatMap { product in
        product.sums.map { "\(product.id) \(product.kind) \($0)" }
      }
  }

  @Test("Squares that leave 128 bits say that nobody knows them, whatever the order")
  func overflow() {
    var sums = GroupPayments.Sums()
    sums.firstSquares = .max - 5
    var other = GroupPayments.Sums()
    other.firstSquares = 9
    var both = sums
    both.merge(other)
    other.merge(sums)
    #expect(both.firstSquares == .max && other.firstSquares == .max)
  }
}
