import Foundation

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

/// A small world that leaves no column of a block and no tally of sums empty.
struct WideWorld {
  let folder: TemporaryFolder
  let job: Job
  let cutoff: Instant
  /// An earlier night, which changes are told since.
  let since: EarlierCount

  init() throws {
    folder = try TemporaryFolder()
    let webhooks = try Self.webhooks()
    let sold = Set(
      webhooks.compactMap { $0.firstMatch(of: /"app_user_id":"(\w+)"/).map { String($0.1) } }
    ).sorted()
    let users = (1...6).map { "u\($0)" } + sold
    let rows = users.enumerated().map { number, user in
      "\(user),test,\(number % 2 == 0 ? "control" : "b"),2026-02-0\(1 + number % 7)T10:00:00Z,c\(number % 3),"
    }
    let table =
      ["user,offering,group,assigned_at,country,plan"] + rows + ["u1,test,b,2026-03-09,c1,x", "u2,other,a,x,c1,"]
    try folder.write("assignments.csv", table.joined(separator: "\n") + "\n")
    try folder.write("events.jsonl", Self.events.joined(separator: "\n") + "\n")
    try folder.write("webhooks.jsonl", webhooks.joined(separator: "\n") + "\n")
    try folder.write("rates.csv", "date,currency,rate\n2026-01-01,EUR,1.1\n")
    try folder.write("products.csv", "product_id,kind,tier,tax_percent,commission_percent\np,auto_renewable,t,19,15\n")
    try folder.write("job.yml", Self.yaml)
    job = try JobReader.read(folder.path("job.yml"))
    cutoff = try Instant("2026-04-20", timezone: .gmt)
    since = EarlierCount(cutoff: try Instant("2026-03-20", timezone: .gmt), files: [])
  }

  private static let yaml = """
    job: wide
    max_reject_ratio: 1
    assignments: {path: assignments.csv, attributes: [country, plan]}
    purchases:
      - {path: events.jsonl, format: events, attributes: [store]}
      - {path: webhooks.jsonl, format: revenuecat-webhooks, columns: {paywall: presented_offering_id}, attributes: [paywall]}
    products: products.csv
    exchange_rates: rates.csv
    event_types: [offering_served]
    segments: [country]
    outside: true
    metrics:
      - {name: revenue_net, window: 7d, cap: {percentile: 90}, segments: [country], primary: true}
      - {name: revenue_gross, window: none, id: gross}
      - {name: proceeds, window: none, id: proceeds}
      - {name: charges, window: none}
      - {name: refund_rate, window: none}
      - {name: subscription_conversion, window: 30d}
      - {name: active_subscription}
      - {name: mrr}
      - {name: retention}
    funnels:
      - {name: f, steps: [paywall_view, purchase, renewal], within: 9d}

    """

  private static let events: [String] =
    (1...7).flatMap { user in
      let fields = ["userId": "u\(user)", "transactionId": "t\(user)", "store": "s\(user % 2)"]
      let own = ["offeringId": "test", "testGroupId": user % 2 == 0 ? "b" : "control"]
      var lines = [event("paywall_view", march(1), ["userId": "u\(user)"].merging(own) { $1 })]
      lines.append(
        event(
          "purchase", march(user + 1),
          fields.merging(["currency": user == 4 ? "EUR" : "USD", "expiresDate": "2026-04-0\(user)T00:00:00Z"]) { $1 }))
      lines.append(event("renewal", march(20), fields.merging(["transactionId": "r\(user)"]) { $1 }))
      if user % 3 == 0 {
        lines.append(event("refund", march(25), fields.merging(["price": "2.5", "currency": "EUR"]) { $1 }))
      }
      if user % 2 == 0 { lines.append(event("refund", march(26), fields)) }
      return lines
    } + [
      event("purchase", march(3), ["userId": "u5", "currency": "XXX", "transactionId": "x"]),
      event("trial_start", march(3), ["userId": "u6", "productId": "p", "expiresDate": march(10)]),
      event("offering_served", march(2), ["userId": "u6", "offeringId": "test", "testGroupId": "b"]),
      event("purchase", "1980-03-01", ["userId": "u6"]), "{", event("purchase", march(9), ["price": "dear"]),
    ]

  /// Some lines of each type that the sample has, from their first on.
  private static func webhooks() throws -> [String] {
    let path = repository.appending(path: "sample-data/three-day/webhooks-01.jsonl.gz").path
    let source = try ByteSource(path: path, displayName: "webhooks")
    var (bytes, seen) = ([UInt8](), [Substring: Int]())
    while case let piece = try source.read(upTo: 1 << 20), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let type = line.firstMatch(of: /"type":"(\w+)"/)?.1 ?? ""
      seen[type, default: 0] += 1
      return seen[type, default: 0] <= 2 ? String(line) : nil
    }
  }
}
