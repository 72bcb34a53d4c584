import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Logs of strangers that tell no money")
struct UnpaidLogsTests {
  private func at(_ row: Int) -> String { "2026-03-\(10 + row % 18)T10:00:00Z" }

  @Test("A log in the product's own form may tell one type alone, and that stands for itself")
  func scans() throws {
    let log = try RecognisedLog("") { row in
      #"{"userId":"u\#(row % 50)","eventType":"scan","occurredAt":"\#(at(row))"}"#
    }
    #expect(log.carried == ["scan"])
    #expect(log.input.mapping == LogMapping() && log.input.defaults.isEmpty)
  }

  @Test("Of a log in the product's own form types that bring no money are carried beside those that do")
  func beside() throws {
    let log = try RecognisedLog("") { row in
      row % 2 == 0
        ? #"{"userId":"u\#(row)","eventType":"purchase","occurredAt":"\#(at(row))","productId":"p","price":"9.99","currency":"USD"}"#
        : #"{"userId":"u\#(row)","eventType":"banner_shown","occurredAt":"\#(at(row))"}"#
    }
    #expect(log.carried == ["banner_shown"] && log.input.mapping.types.isEmpty)
  }

  @Test("A stranger's log of events without any amount is no table of charges that lacks its price")
  func views() throws {
    let names = ["screen_view", "paywall_shown", "button_tap"]
    let log = try RecognisedLog("user_id,time,event") { "u\($0 % 50),\(at($0)),\(names[$0 % 3])" }
    #expect(log.carried == ["button_tap", "screen_view"])
    #expect(log.input.mapping.types == ["paywall_shown": "paywall_view"] && log.input.defaults.isEmpty)
  }

  @Test("Where amounts lie in a column that is called like nothing, the price is still asked for")
  func amounts() {
    let asked = RecognisedLog.question("user_id,time,event,x,y") {
      "u\($0 % 50),\(at($0)),thing\($0 % 3),\($0 % 7).99,\($0 % 5).49"
    }
    #expect(asked?.contains("--column price=") == true, "\(asked ?? "")")
  }

  @Test(
    "A server's table of users tells when each began a trial of the server's own, and its id is the user's",
    arguments: ["user_id", "id"])
  func trials(id: String) throws {
    let log = try RecognisedLog("\(id),trial_activated_at,created_at") { "u\($0),\(at($0)),2026-03-01T00:00:00Z" }
    #expect(log.columns["occurredAt"] == "trial_activated_at" && log.columns["userId"] == id)
    #expect(log.columns["transactionId"] == nil)
    #expect(log.input.defaults == ["eventType": "trial_start"])
    #expect(log.input.table.skipped == [SkipRule(column: "trial_activated_at", matches: [.nothing])])
  }

  @Test(
    "Tables that say what is sold are no purchases, and belong behind an option of their own",
    arguments: [
      ("product_id,tier,duration_days,scan_credits", "p\u{0},basic,30,60", "--products"),
      ("id,subscription_offering_id,group_name,weight", "1\u{0},7,control,1.0", "--catalog"),
      ("id,offering_group_id,product_id,is_default", "1\u{0},11,p,1", "--catalog"),
    ])
  func misplaced(header: String, row: String, option: String) throws {
    let asked = RecognisedLog.question(header, rows: 9) { row.replacing("\u{0}", with: "\($0)") }
    #expect(asked?.contains("hand it over with \(option).") == true, "\(asked ?? "")")
  }

  @Test("So do stored answers of getSubscriptionOffering")
  func responses() {
    let asked = RecognisedLog.question("") { _ in
      #"{"Success":1,"Body":{"offeringId":"o","testGroupId":"a","subscriptions":[{"productId":"p","isDefault":true}]}}"#
    }
    #expect(asked?.contains("stored answers of getSubscriptionOffering") == true, "\(asked ?? "")")
  }
}

/// What a first job measures where no row tells a charge, and what it says of the money.
@Suite("First jobs without money")
struct UnpaidJobsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let rows = (0..<60).map { "u\($0),o,\($0 % 2 == 0 ? "control" : "b"),2026-03-01T00:00:00Z" }
    try folder.write("users.csv", "user,offering,group,assigned_at\n\(rows.joined(separator: "\n"))\n")
  }

  private func recognised(_ logs: [String: [String]]) throws -> Recognition {
    var files = Recognition.Files()
    files.assignments = [folder.path("users.csv")]
    for (name, lines) in logs.sorted(by: { $0.key < $1.key }) {
      try folder.write(name, lines.joined(separator: "\n") + "\n")
      files.purchases.append(folder.path(name))
    }
    var found = try Recognition(files, job: folder.url.appendingPathComponent("job.yml"))
    try found.read(naming: "o")
    return found
  }

  private func text(_ recognition: Recognition) -> String {
    JobText(
      .init(
        name: "job", currency: Guess("USD", .guess, ""), timezone: nil, baselines: [("o", ["b", "control"], nil)],
        version: "0"), recognition
    ).text
  }

  private func call(_ row: Int, _ endpoint: String, _ response: String) -> String {
    #"{"userId":"u\#(row)","occurredAt":"2026-03-05T00:00:00Z","endpoint":"\#(endpoint)","response":\#(response)}"#
  }

  @Test("A server's log tells activations and failures, which are measured, and whose price the plan says")
  func calls() throws {
    let plan = #"{"success":true,"data":{"price":50.00,"currency":"GBP","duration":30,"duration_unit":"days"}}"#
    let log = (0..<60).map { row in
      row % 3 == 0
        ? call(row, "/api/subscription/plan-info", plan)
        : call(
          row, "/api/subscription/upgrade",
          row % 3 == 1 ? #"{"success":true,"data":{"transaction_id":"t"}}"# : #"{"success":false,"error_code":21003}"#)
    }
    let found = try recognised(["calls.jsonl": log])
    let job = text(found)
    #expect(
      job.contains("{name: event_rate, event: activation, window: 3d, primary: true, id: activation_3d}"), "\(job)")
    #expect(job.contains("event: validation_failed, window: 3d, goal: decrease, id: validation_failed_3d}"))
    #expect(job.contains("numerator: validation_failed, denominator: [activation, validation_failed]"))
    #expect(!job.contains("revenue"))
    #expect(found.planCurrency == "GBP")
    let missing = try #require(MissingMoney(found)).sentence
    #expect(missing.contains("No input tells what was paid (api-log)"))
    #expect(
      missing.contains("The server's plan costs 50.00 GBP for 30 days, and no row says who paid it."), "\(missing)")
    #expect(missing.contains("the App Store's notifications"))
  }

  @Test("With the store's log beside it money decides, and failures stand beside money")
  func both() throws {
    let log = (0..<60).map { row in
      call(row, "/api/subscription/upgrade", row % 2 == 0 ? #"{"success":true}"# : #"{"success":false}"#)
    }
    let sales = (0..<60).map { row in
      #"{"userId":"u\#(row)","eventType":"purchase","occurredAt":"2026-03-05T00:00:00Z","productId":"p","price":"9.99","currency":"USD"}"#
    }
    let found = try recognised(["calls.jsonl": log, "sales.jsonl": sales])
    let job = text(found)
    #expect(job.contains("{name: revenue_net, window: 3d, primary: true}"), "\(job)")
    #expect(job.contains("id: failed_receipts_3d") && !job.contains("id: activation_3d"))
    #expect(MissingMoney(found) == nil && found.planCurrency == nil)
  }

  @Test("Of views alone the exposure decides, and an app's trials come before views")
  func views() throws {
    func event(_ row: Int, _ type: String) -> String {
      #"{"userId":"u\#(row)","eventType":"\#(type)","occurredAt":"2026-03-05T00:00:00Z"}"#
    }
    let views = (0..<60).map { event($0, "paywall_view") }
    let alone = try recognised(["views.jsonl": views])
    #expect(text(alone).contains("  - {name: exposure, window: 3d, primary: true}\n"))
    #expect(MissingMoney(alone)?.sentence.contains("No row of the logs tells a charge") == true)
    let trials = try recognised(["views.jsonl": views + (0..<30).map { event($0, "trial_start") }])
    #expect(text(trials).contains("  - {name: trial_start_rate, window: 3d, primary: true}\n"))
    #expect(!text(trials).contains("trial_to_paid"))
  }

  @Test("Google Play's notifications point to the orders")
  func notifications() throws {
    let rows = (0..<60).map { row in
      #"{"version":"1.0","packageName":"a","eventTimeMillis":"1772668800000","subscriptionNotification":{"version":"1.0","notificationType":3,"purchaseToken":"u\#(row)","subscriptionId":"p"}}"#
    }
    let found = try recognised(["play.jsonl": rows])
    let line = "{name: event_rate, event: cancel, window: 3d, primary: true, goal: decrease, id: cancel_3d}"
    #expect(text(found).contains(line))
    #expect(MissingMoney(found)?.sentence.contains("Google Play's orders") == true)
  }
}
