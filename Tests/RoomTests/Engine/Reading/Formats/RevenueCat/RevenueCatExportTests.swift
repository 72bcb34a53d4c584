import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("RevenueCat exports")
struct RevenueCatExportTests {
  private func measure(
    _ rows: [String: String]..., columns: [String] = ExportRows.columns, keys: String = ""
  ) async throws -> RunMeasurement {
    try await SourceWorld("revenuecat-export", ExportRows.file(rows, columns: columns), keys).measure()
  }

  /// Gross, net and charges of the rows, money in cents.
  private func cents(_ rows: [String: String]...) async throws -> [Int128] {
    let found = try await SourceWorld("revenuecat-export", ExportRows.file(rows)).measure().cents
    return [found[0], found[1], found[3]]
  }

  @Test("A row is a charge of the price before refunds")
  func charge() async throws {
    let found = try await measure([:])
    #expect(found.cents == [999, 999, 699, 1, 0])
    #expect(found.used == 1)
  }

  @Test(
    "Trial, renewal number and auto-renewal tell what a row is",
    arguments: [
      (["is_trial_period": "t"], "trial_start"), ([:], "purchase"), (["renewal_number": "2"], "renewal"),
      (["is_auto_renewable": "f"], "one_time_purchase"),
      (["is_auto_renewable": "FALSE", "renewal_number": "2"], "one_time_purchase"),
      (
        ["is_trial_period": "true", "purchase_price_in_purchased_currency": "", "purchased_currency": ""], "trial_start"
      ),
    ])
  func types(row: [String: String], type: String) async throws {
    var world = SourceWorld("revenuecat-export", ExportRows.file([row]))
    world.world.metrics = ["trial_start", "purchase", "renewal", "one_time_purchase"].map {
      "{name: event_count, event: \($0), window: none, id: \($0)}"
    }
    let found = try await world.measure()
    let counts = (0..<4).map { found.sums($0)?.sumY }
    #expect(counts == ["trial_start", "purchase", "renewal", "one_time_purchase"].map { $0 == type ? 1 : 0 })
  }

  // MARK: - Prices

  @Test("A null price is unknown and not zero", arguments: ["", "null", "NULL", "\\N"])
  func nullPrice(null: String) async throws {
    let found = try await measure(["purchase_price_in_purchased_currency": null], ["store_transaction_id": "t2"])
    #expect(found.setAside == [.missingPrice: 1])
    #expect(found.cents == [999, 999, 699, 1, 0])
  }

  @Test("A price of zero is zero")
  func zero() async throws {
    #expect(
      try await cents(["purchase_price_in_purchased_currency": "0", "price_in_purchased_currency": "0"]) == [0, 0, 1])
  }

  @Test("Prices with any number of decimals are rounded half to even to six, exactly")
  func decimals() async throws {
    let found = try await measure(
      [
        "purchase_price_in_purchased_currency": "9.989999999999998",
        "price_in_purchased_currency": "9.989999999999998",
      ],
      [
        "store_transaction_id": "t2", "purchase_price_in_purchased_currency": "0.0000005",
        "price_in_purchased_currency": "0.0000005",
      ])
    #expect(found.money.prefix(2) == [9_990_000, 9_990_000])
  }

  @Test(
    "What is no price is a bad price",
    arguments: ["x", "1e2", "-1", "1,5", "9.", ".5", "9.9.9", "$9.99", "99999999999999", "1.0000000x"])
  func badPrices(price: String) async throws {
    #expect(try await measure(["purchase_price_in_purchased_currency": price]).setAside == [.badPrice: 1])
  }

  // MARK: - Refunds

  @Test("A lower price after refunds is one refund of the difference")
  func partialRefund() async throws {
    let row = ["price_in_purchased_currency": "6.99", "refunded_at": "2026-03-20 00:00:00"]
    let found = try await measure(row)
    #expect(found.cents == [999, 699, 489, 1, 1])
    #expect(found.used == 1)
  }

  @Test("Zero after refunds is a refund in full")
  func fullRefund() async throws {
    #expect(
      try await cents(["price_in_purchased_currency": "0", "refunded_at": "2026-03-20 00:00:00"]) == [999, 0, 1])
  }

  @Test("A refund without a difference takes back all of the charge")
  func refundWithoutDifference() async throws {
    #expect(try await cents(["refunded_at": "2026-03-20 00:00:00"]) == [999, 0, 1])
    #expect(
      try await cents(["price_in_purchased_currency": "null", "refunded_at": "2026-03-20 00:00:00"]) == [999, 0, 1])
  }

  @Test("A difference without a time, as of an upgrade, was given back when the row was updated")
  func differenceWithoutTime() async throws {
    let row = ["price_in_purchased_currency": "6.99", "updated_at": "2026-03-31 23:59:59"]
    #expect(try await cents(row) == [999, 699, 1])
    #expect(try await cents(row.merging(["updated_at": "2026-04-01 00:00:00"]) { $1 }) == [999, 999, 1])
  }

  @Test("A refund after the cut-off has not happened yet")
  func lateRefund() async throws {
    let row = ["price_in_purchased_currency": "0", "refunded_at": "2026-04-01 00:00:00"]
    let found = try await measure(row)
    #expect(found.cents == [999, 999, 699, 1, 0])
    #expect(found.setAside.isEmpty)
  }

  @Test("A price after refunds above the price before takes nothing back, one below zero all of it")
  func impossibleDifferences() async throws {
    #expect(try await cents(["price_in_purchased_currency": "12"]) == [999, 999, 1])
    #expect(try await cents(["price_in_purchased_currency": "-3"]) == [999, 0, 1])
  }

  // MARK: - Snapshots

  @Test("An older export snapshot over a newer one changes nothing")
  func olderSnapshot() async throws {
    let older = [
      "purchase_price_in_purchased_currency": "5", "price_in_purchased_currency": "0",
      "refunded_at": "2026-03-03 00:00:00", "updated_at": "2026-03-03 00:00:00",
    ]
    let newer = ["updated_at": "2026-03-03 00:00:00.001"]
    #expect(try await cents(older, newer) == [999, 999, 1])
    #expect(try await cents(newer, older) == [999, 999, 1])
    #expect(try await measure(newer, older).setAside == [.duplicate: 1])
  }

  @Test("Companions of an older snapshot go with it")
  func olderCompanions() async throws {
    var world = SourceWorld(
      "revenuecat-export",
      ExportRows.file([
        [
          "unsubscribe_detected_at": "2026-03-03 00:00:00", "billing_issues_detected_at": "2026-03-04 00:00:00",
          "updated_at": "2026-03-04 00:00:00",
        ],
        ["billing_issues_detected_at": "2026-03-04 00:00:00", "updated_at": "2026-03-05 00:00:00"],
        ["billing_issues_detected_at": "2026-03-04 00:00:00", "updated_at": "2026-03-05 00:00:00"],
      ]))
    world.world.metrics = ["cancel", "billing_retry", "purchase"].map {
      "{name: event_count, event: \($0), window: none, id: \($0)}"
    }
    let found = try await world.measure()
    #expect((0..<3).map { found.sums($0)?.sumY } == [0, 1, 1])
    #expect(found.setAside == [.duplicate: 2])
  }

  @Test("Snapshots updated at one instant are told apart by what they say, never by their order")
  func ties() async throws {
    let rows = (0..<8).map { number in
      ["purchase_price_in_purchased_currency": "\(number)", "price_in_purchased_currency": "\(number).5"]
    }
    let forward = try await SourceWorld("revenuecat-export", ExportRows.file(rows)).measure()
    let backward = try await SourceWorld("revenuecat-export", ExportRows.file(rows.reversed())).measure()
    #expect(forward.cents == backward.cents)
    #expect(forward.setAside == [.duplicate: 7])
  }

  @Test("Trials of one product that began at one instant are one, whatever transactions they go by")
  func trialReportedTwice() async throws {
    let trial = ["is_trial_period": "true", "end_time": "2026-03-16 10:00:00"]
    let restored = trial.merging(["store_transaction_id": "t2", "end_time": ""]) { $1 }
    #expect(try await measure(trial, restored).setAside == [.duplicate: 1])
    let later = trial.merging(["store_transaction_id": "t2", "start_time": "2026-03-02 10:00:01"]) { $1 }
    #expect(try await measure(trial, later).used == 2)
  }

  @Test("A transaction of one id is another with every renewal")
  func renewals() async throws {
    let second = ["renewal_number": "2", "start_time": "2026-03-09 10:00:00"]
    #expect(try await cents([:], second) == [1998, 1998, 2])
    let refunded = ["price_in_purchased_currency": "0", "refunded_at": "2026-03-20 00:00:00"]
    #expect(try await cents([:], second.merging(refunded) { $1 }) == [1998, 999, 2])
  }

  // MARK: - What is left out

  @Test(
    "Sandbox, family shared and promotional rows are left out by name, whatever else they lack",
    arguments: [
      (["is_sandbox": "t"], SetAsideReason.sandbox), (["ownership_type": "FAMILY_SHARED"], .familyShared),
      (["store": "promotional"], .notMeasured),
    ])
  func leftOut(row: [String: String], reason: SetAsideReason) async throws {
    let found = try await measure(row.merging(["purchase_price_in_purchased_currency": "null"]) { $1 })
    #expect(found.setAside == [reason: 1])
    #expect(found.noticed["not_measured store=promotional"] == (reason == .notMeasured ? 1 : nil))
  }

  @Test(
    "What a row cannot do without",
    arguments: [
      "rc_original_app_user_id", "product_identifier", "start_time", "store_transaction_id", "renewal_number",
      "is_trial_period", "is_auto_renewable", "purchased_currency",
    ])
  func required(column: String) async throws {
    for null in ["", "NULL"] {
      let found = try await measure([column: null])
      #expect(found.setAside == [.missingField: 1])
      #expect(found.rejects.all.first?.detail == "\(column) is missing")
    }
  }

  @Test(
    "What a column cannot hold",
    arguments: [
      ("is_sandbox", "yes", SetAsideReason.malformed), ("renewal_number", "0", .malformed),
      ("renewal_number", "-1", .malformed), ("renewal_number", "1.5", .malformed),
      ("renewal_number", "99999999999999999999", .malformed), ("start_time", "yesterday", .badTime),
      ("refunded_at", "1", .badTime), ("purchased_currency", "Dollar", .badCurrency),
    ])
  func unreadable(column: String, value: String, reason: SetAsideReason) async throws {
    if column == "refunded_at" { return #expect(try await measure([column: "soon"]).setAside == [reason: 1]) }
    #expect(try await measure([column: value]).setAside == [reason: 1])
  }

  @Test(
    "Times are in UTC, however they say so",
    arguments: [
      "2026-03-31 23:59:59", "2026-03-31 23:59:59.999999", "2026-03-31T23:59:59Z", "2026-04-01T01:59:59+02:00",
      "2026-03-31 23:59:59 UTC", "2026-03-31 23:59:59.000+00:00",
    ])
  func times(time: String) async throws {
    #expect(try await cents(["start_time": time, "end_time": ""]) == [999, 999, 1])
    let later = time.replacingOccurrences(of: "03-31", with: "04-01").replacingOccurrences(
      of: "04-01T01", with: "04-02T01")
    #expect(try await measure(["start_time": later, "end_time": ""]).setAside == [.afterCutoff: 1])
  }

  // MARK: - Users and groups

  @Test("The job may say which column names the user")
  func userColumn() async throws {
    let row = ["rc_original_app_user_id": "$RCAnonymousID:1", "rc_last_seen_app_user_id_alias": "u1"]
    #expect(try await measure(row).cents[0] == 999)
    #expect(try await measure(row, keys: "user: rc_last_seen_app_user_id_alias").cents[0] == 999)
  }

  @Test("An alias is the user it stands for")
  func alias() async throws {
    var world = SourceWorld("revenuecat-export", ExportRows.file([["rc_original_app_user_id": "$RC:1"]]))
    let folder = try TemporaryFolder()
    world.world.job = "identities: {path: who.csv}"
    let path = try world.write(to: folder)
    try folder.write("who.csv", "alias,user\n$RC:1,u1\n")
    #expect(try await World.measure(path, asOf: "2026-04-01", threads: 1).cents[0] == 999)
  }

  @Test(
    "The experiment and its variant are the logged offering and group",
    arguments: [
      (["experiment_id": "test", "experiment_variant": "a"], 1, 1),
      (["experiment_id": "test", "experiment_variant": "control"], 1, 0),
      (["experiment_id": "another", "experiment_variant": "a"], 0, 0), (["presented_offering": "test"], 0, 0),
      (
        [
          "enrolled_experiments_by_layer":
            #"{"other": [], "default": [{"experiment_id": "test", "variant": "a", "enrolled_at": "1970-01-01 00:00:00"}]}"#
        ], 1, 1
      ),
      (["enrolled_experiments_by_layer": #"{"default": [{"experiment_id": "test", "variant"#], 0, 0),
      (["enrolled_experiments_by_layer": "[1]"], 0, 0),
    ])
  func experiments(row: [String: String], logged: Int, mismatches: Int) async throws {
    let columns = ExportRows.columns + ["experiment_id", "experiment_variant", "enrolled_experiments_by_layer"]
    let found = try await measure(row, columns: columns)
    #expect(found.offering?.loggedEvents == logged)
    #expect(found.offering?.groupMismatches == mismatches)
    #expect(found.cents[0] == 999)
  }
}
