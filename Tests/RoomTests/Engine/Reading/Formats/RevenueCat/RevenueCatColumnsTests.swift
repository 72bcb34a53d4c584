import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Columns of RevenueCat exports")
struct RevenueCatColumnsTests {
  /// The columns a file needs at least.
  private static let fewest = [
    "purchase_price_in_purchased_currency", "renewal_number", "store_transaction_id", "purchased_currency",
    "is_trial_period", "is_auto_renewable", "start_time", "product_identifier", "rc_original_app_user_id",
  ]

  @Test("The customer picks columns and their order", arguments: [",", ";", "\t"])
  func subset(delimiter: String) async throws {
    let lines = ExportRows.file([[:]], columns: Self.fewest, delimiter: delimiter)
    #expect(try await SourceWorld("revenuecat-export", lines).measure().cents == [999, 999, 699, 1, 0])
  }

  @Test("A file that does not tell what money needs says which column", arguments: Self.fewest)
  func missing(column: String) async throws {
    let columns = ExportRows.columns.filter {
      $0 != column && (column != "purchase_price_in_purchased_currency" || $0 != "price_in_purchased_currency")
    }
    let world = SourceWorld("revenuecat-export", ExportRows.file([[:]], columns: columns))
    let error = await #expect(throws: OfferliftError.self) { try await world.measure() }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains("there is no column \"\(column)\"") == true)
    #expect(error?.message.contains("Have the export include it (job.yml, line") == true)
  }

  @Test("All missing columns are named at once")
  func allMissing() async throws {
    let world = SourceWorld("revenuecat-export", ["start_time;updated_at", "2026-03-02;2026-03-02"])
    let error = await #expect(throws: OfferliftError.self) { try await world.measure() }
    #expect(error?.message.contains("\"rc_original_app_user_id\"") == true)
    #expect(error?.message.contains("Nor is there \"product_identifier\", ") == true)
  }

  @Test("Columns that the documentation does not name are remarked once a file, documented ones never")
  func unknown() async throws {
    let columns = ExportRows.columns + ["country", "custom_subscriber_attributes", "mparticleid", "auto_resume_time"]
    var world = SourceWorld(
      "revenuecat-export", ExportRows.file([[:], ["store_transaction_id": "2"]], columns: columns))
    world.add("revenuecat-export", ExportRows.file([], columns: columns + ["user"]), "user: user")
    let found = try await world.measure()
    #expect(found.noticed == ["unknown_column mparticleid": 2, "unknown_product ": 1])
    #expect(found.notices.first { $0.check == "unknown_column" }?.isWarning == false)
  }

  /// Version 3 has neither the price before refunds nor the time of the last update.
  private static let version3 = ExportRows.columns.filter {
    $0 != "purchase_price_in_purchased_currency" && $0 != "updated_at"
  }

  private func version3(_ rows: [String: String]...) async throws -> RunMeasurement {
    try await SourceWorld("revenuecat-export", ExportRows.file(rows, columns: Self.version3)).measure()
  }

  private static let refunded = ["price_in_purchased_currency": "0", "refunded_at": "2026-03-20 00:00:00"]

  @Test("In version 3 the price is what is left of the charge")
  func oldPrice() async throws {
    #expect(try await version3([:]).cents == [999, 999, 699, 1, 0])
    #expect(try await version3(["refunded_at": "2026-03-20 00:00:00"]).cents == [999, 999, 699, 1, 0])
    #expect(try await version3(["price_in_purchased_currency": ""]).setAside == [.missingPrice: 1])
  }

  @Test("In version 3 what was given back is known from an older snapshot alone", arguments: [0, 400])
  func oldRefund(left: Int128) async throws {
    let row = Self.refunded.merging(["price_in_purchased_currency": "\(left / 100)"]) { $1 }
    let both = try await version3([:], row)
    #expect(both.cents == [999, left, left * 7 / 10, 1, 1])
    #expect(both.setAside == [.duplicate: 1])
    let alone = try await version3(row)
    #expect(alone.cents == [left, left, left * 7 / 10, 1, 0])
    #expect(alone.orphanRefunds == 0)
    let later = row.merging(["refunded_at": "2026-04-02 00:00:00"]) { $1 }
    #expect(try await version3([:], later).cents == [999, 999, 699, 1, 0])
  }

  @Test("In version 3 the snapshot that knows of more is the later one")
  func oldSnapshots() async throws {
    let ended = ["unsubscribe_detected_at": "2026-03-04 00:00:00", "price_in_purchased_currency": "8"]
    #expect(try await version3([:], ended).cents == [800, 800, 560, 1, 0])
    #expect(try await version3(ended, [:]).cents == [800, 800, 560, 1, 0])
  }

  @Test("Arrays and objects in cells are quoted text, whatever the version's way of quoting them")
  func cells() async throws {
    let columns = ExportRows.columns + ["entitlement_identifiers", "custom_subscriber_attributes"]
    let rows = [
      ["entitlement_identifiers": #"["membership", "full;access"]"#, "custom_subscriber_attributes": "{}"],
      [
        "store_transaction_id": "t2", "entitlement_identifiers": "{membership,full_access}",
        "custom_subscriber_attributes": #"{"a": {"value": "x\ny", "updated_at_ms": 1672549200}}"#,
      ],
    ]
    let found = try await SourceWorld("revenuecat-export", ExportRows.file(rows, columns: columns)).measure()
    #expect(found.cents[0] == 1998)
  }

  @Test("Columns that another format's input may rename are refused")
  func renaming() throws {
    let folder = try TemporaryFolder()
    let path = try SourceWorld("revenuecat-export", [], "columns: {userId: id}").write(to: folder)
    let error = #expect(throws: OfferliftError.self) { try JobReader.read(path) }
    #expect(error?.message.contains("leave columns: out") == true)
  }

  @Test("Random cells never crash, and every row is accounted for")
  func randomCells() async throws {
    var dice = Dice(seed: 20_260_302)
    let alphabet = Array("0123456789.-:TtfFNULLnull {}[]\"\\é\u{0},e".utf8)
    let rows = (0..<400).map { _ in
      Dictionary(
        uniqueKeysWithValues: ExportRows.columns.filter { _ in dice.chance(0.2) }.map { column in
          (column, String(decoding: dice.bytes(dice.below(20), from: alphabet), as: UTF8.self))
        })
    }
    let found = try await SourceWorld("revenuecat-export", ExportRows.file(rows)).measure()
    #expect(found.accounts.last?.rows ?? 0 > 300)
  }

  @Test("Random bytes end in a result or in a sentence")
  func randomBytes() async throws {
    var dice = Dice(seed: 7)
    let folder = try TemporaryFolder()
    let path = try SourceWorld("revenuecat-export", []).write(to: folder)
    let header = Array(ExportRows.file([])[0].utf8)
    for _ in 0..<60 {
      try folder.write("log0.txt", (dice.chance(0.7) ? header + [0x0a] : []) + dice.bytes(dice.below(3000)))
      do {
        let found = try await World.measure(path, asOf: "2026-04-01", threads: 1)
        #expect(found.accounts.allSatisfy { $0.isBalanced })
      } catch let error as OfferliftError {
        #expect([.badJobFile, .badData].contains(error.exit))
      }
    }
  }
}
