import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// Trials that an app or its server begins by itself, without a transaction, beside those of a store.
@Suite("Trials of the app and of the store")
struct TrialTests {
  private static let metrics = [
    "{name: event_count, event: trial_start, window: none, id: trials}",
    "{name: event_rate, event: trial_start, at_least: 2, window: none, id: second}",
    "{name: trial_to_paid, window: none}", "{name: trial_to_paid, window: none, within: 16d, id: within}",
    "{name: initial_conversion, window: none}", "{name: trial_start_rate, window: none}",
  ]

  /// The app's own trial, which names no product unless told.
  private func own(_ time: String, _ fields: [String: String] = [:]) -> String { event("trial_start", time, fields) }

  /// A trial of the store's, which begins on a day of March at noon and lasts two weeks unless told.
  private func stores(_ day: Int, until end: Int? = nil) -> String {
    sold(day, until: end ?? day + 14, ["price": "0", "offerDiscountType": "\"FREE_TRIAL\""])
  }

  private func sold(_ day: Int, until end: Int, _ members: [String: String] = [:]) -> String {
    StoreNotification(
      members["price"] == "0" ? "SUBSCRIBED" : "DID_RENEW", nil,
      [
        "transactionId": "\"t\(day)\"", "webOrderLineItemId": "\"w\(day)\"", "productId": "\"news\"",
        "subscriptionGroupIdentifier": "\"1\"", "purchaseDate": "\(milliseconds(day))",
        "expiresDate": "\(milliseconds(end))",
      ].merging(members) { $1 }, id: "n\(day)"
    ).decoded
  }

  private func world(
    _ own: [String], _ store: [String] = [], job: String = "", at time: String = "2026-06-01"
  ) -> SourceWorld {
    var world = SourceWorld("events", own)
    if !store.isEmpty { world.add("app-store-notifications", store) }
    world.world.productColumns = StandingOfUser.columns
    world.world.products = StandingOfUser.products
    world.world.metrics = Self.metrics
    world.world.job = job
    world.world.asOf = time
    return world
  }

  private func state(_ found: RunMeasurement) -> String {
    zip(UserState.allCases, found.offering?.groups.first?.tables.states ?? []).first { $1 == 1 }?.0.name ?? ""
  }

  private func state(
    _ own: [String], _ store: [String] = [], job: String = "", at time: String
  ) async throws -> String {
    state(try await world(own, store, job: job, at: time).measure())
  }

  /// Σy of every metric.
  private func sums(_ found: RunMeasurement) -> [Int128?] { Self.metrics.indices.map { found.sums($0)?.sumY } }

  @Test("The store's trial twelve days after the app's own is a second one, whichever way it is measured")
  func two() async throws {
    for fields in [[:], ["productId": "news"], ["productId": "news", "eventId": "e1"]] {
      let paid = sold(29, until: 60)
      let reported = world([own(march(3), fields)], [stores(15), paid], job: "trial: P14D")
      try await reported.everyWay().forEach { found, way in
        #expect(sums(found) == [2, 1, 1, 1, 1, 1], way)
        #expect(found.setAside.isEmpty, way)
      }
    }
  }

  @Test("At the same moment they are one trial, which is of the store's product, subscription and length")
  func one() async throws {
    for fields in [[:], ["productId": "news"]] {
      let both = world([own(march(3), fields)], [stores(3, until: 10)], at: "2026-03-05")
      let found = try await both.measure()
      #expect(sums(found)[..<2] == [1, 0] && found.setAside == [.duplicate: 1])
      #expect(state(found) == "in_trial" && found.notices.isEmpty)
      #expect(try await state([own(march(3), fields)], [stores(3, until: 10)], at: "2026-03-11") == "trial_expired")
      // The trial is the store's, so that a metric of other products leaves it out.
      var other = both
      other.world.metrics = ["{name: event_count, event: trial_start, window: none, where: {products: [maps]}}"]
      #expect(try await other.measure().sums(0)?.sumY == 0)
    }
    // A millisecond apart, or of another product, they are two.
    #expect(sums(try await world([own(march(3, "12:00:00.001"))], [stores(3)]).measure())[0] == 2)
    #expect(sums(try await world([own(march(3), ["productId": "maps"])], [stores(3)]).measure())[0] == 2)
  }

  @Test("A trial is as long as the log says, else its product's table, else the job")
  func length() async throws {
    func last(_ fields: [String: String], _ job: String) async throws -> [String] {
      var states: [String] = []
      for day in [9, 11, 16, 18] { states.append(try await state([own(march(3), fields)], job: job, at: march(day))) }
      return states.map { $0 == "in_trial" ? "+" : "-" }
    }
    #expect(try await last([:], "trial: P1W") == ["+", "-", "-", "-"])
    #expect(try await last([:], "trial: P14D") == ["+", "+", "+", "-"])
    #expect(try await last(["productId": "odd"], "trial: P1W") == ["+", "-", "-", "-"])
    #expect(try await last(["productId": "news"], "trial: P1W") == ["+", "+", "+", "-"])
    #expect(try await last(["productId": "news", "expiresDate": march(10)], "") == ["+", "-", "-", "-"])
    #expect(try await last([:], "") == ["+", "+", "+", "+"])
  }

  @Test("A trial of unknown length warns, with the number of users, and ends at the next subscription charge")
  func unknown() async throws {
    func notices(_ own: [String], _ store: [String] = [], job: String = "") async throws -> [Notice] {
      try await world(own, store, job: job).measure().notices.filter { $0.check == "unknown_trial" }
    }
    var several = world((1...3).map { own(march(3), ["userId": "u\($0)", "productId": $0 == 1 ? "odd" : ""]) })
    several.world.assignments = ["test", "other"].flatMap { test in
      (1...4).map { "u\($0),\(test),control,2026-03-01T00:00:00Z" }
    }
    try await several.everyWay().forEach { found, way in
      let notice = found.notices.first { $0.check == "unknown_trial" }
      #expect(notice?.count == 3 && notice?.isWarning == true, way)
      #expect(notice?.message.contains("the trial of 3 users") == true, way)
      #expect(notice?.message.contains("Write trial: P14D in the job") == true, way)
      #expect(notice?.message.contains("or give \"odd\" a trial in products:") == true, way)
    }
    #expect(try await notices([own(march(3))], job: "trial: P14D").isEmpty)
    #expect(try await notices([own(march(3), ["productId": "news"])]).isEmpty)
    #expect(try await notices([own(march(3))]).map(\.message).first?.contains("products:") == false)
    // A charge of whatever subscription ends it, also where the store names a group of subscriptions.
    let charged = [sold(5, until: 12)]
    #expect(try await notices([own(march(3))], charged).isEmpty)
    #expect(try await state([own(march(3))], charged, at: "2026-05-01") == "expired")
    let news = charge("news", march(5))
    let maps = charge("maps", march(6), "purchase", ["transactionId": "m", "expiresDate": march(8)])
    #expect(try await state([own(march(3)), news, maps], at: "2026-03-10") == "subscribed")
    let ends = ["news", "maps"].map { event("expire", march(9), ["productId": $0]) }
    #expect(try await state([own(march(3)), news, maps] + ends, at: "2026-03-10") == "expired")
  }

  @Test("More time that is given to what was paid after a trial makes no trial longer")
  func extendedLater() async throws {
    func due(_ extend: String) async throws -> Int128? {
      let chain = ["productId": "news", "originalTransactionId": "o"]
      let trial = own(march(3), chain.merging(["expiresDate": march(17)]) { $1 })
      let paid = charge("news", march(17), "renewal", ["transactionId": "p", "originalTransactionId": "o"])
      let longer = event("extend", extend, chain.merging(["expiresDate": "2026-08-01T12:00:00Z"]) { $1 })
      return try await world([trial, paid, longer], at: "2026-06-01").measure().sums(2)?.sumX
    }
    #expect(try await due(march(20)) == 1)
    #expect(try await due(march(10)) == 0)
  }

  @Test("Unless the job says within, a trial may be paid until two days after its end, where that is known and later")
  func due() async throws {
    func paid(_ trial: String, day: Int, _ job: String = "", at time: String = "2026-06-01") async throws -> [Int128] {
      let found = try await world([trial, charge("news", march(day), "renewal")], job: job, at: time).measure()
      return [found.sums(2)?.sumY ?? -1, found.sums(2)?.sumX ?? -1, found.sums(3)?.sumY ?? -1]
    }
    // From 3 March on: 16 days are over on the 19th; a trial of three weeks ends on the 24th.
    #expect(try await paid(own(march(3)), day: 19) == [1, 1, 1])
    #expect(try await paid(own(march(3)), day: 20) == [0, 1, 0])
    #expect(try await paid(own(march(3)), day: 25, "trial: P3W") == [1, 1, 0])
    #expect(try await paid(own(march(3)), day: 27, "trial: P3W") == [0, 1, 0])
    #expect(try await paid(own(march(3), ["expiresDate": march(24)]), day: 26) == [1, 1, 0])
    #expect(try await paid(own(march(3)), day: 19, "trial: P3D") == [1, 1, 1])
    #expect(try await paid(own(march(3)), day: 25, "trial: P3W", at: march(20)) == [0, 0, 0])
    #expect(try await paid(own(march(3)), day: 25, "trial: P3W", at: march(26)) == [1, 1, 0])
  }

  @Test("Three days that the server gives by itself are a trial, beside the same three days bought")
  func serversOwn() async throws {
    func at(_ time: String, _ more: [String] = []) async throws -> (state: String, found: RunMeasurement) {
      var world = SourceWorld(
        "events-csv", ["id,trial_activated_at", "u1,2026-03-03 12:00:00+00", "u2,", "u3,\\N"],
        "columns: {userId: id, occurredAt: trial_activated_at}, defaults: {eventType: trial_start}, "
          + "skip_where: {trial_activated_at: null}")
      if !more.isEmpty { world.add("events", more) }
      world.world.productColumns = StandingOfUser.columns
      world.world.products = StandingOfUser.products
      world.world.metrics = Self.metrics
      world.world.job = "trial: P3D"
      world.world.asOf = time
      let found = try await world.measure()
      return (state(found), found)
    }
    let during = try await at(march(6, "11:59:59"))
    #expect(during.state == "in_trial" && during.found.setAside == [.skipped: 2])
    #expect(during.found.noticed["skipped trial_activated_at: null"] == 2)
    #expect(try await at(march(6)).state == "trial_expired")
    let pass = [charge("pass", march(3, "11:59:58"), "one_time_purchase")]
    #expect(try await at(march(6, "11:00:00"), pass).state == "one_time_access")
    #expect(try await at(march(6, "11:59:59"), pass).state == "in_trial")
    #expect(try await at(march(6), pass).state == "trial_expired")
    let month = pass + [charge("monthly", march(5), "purchase", ["transactionId": "m"])]
    #expect(try await at(march(5, "13:00:00"), month).state == "subscribed")
  }
}
