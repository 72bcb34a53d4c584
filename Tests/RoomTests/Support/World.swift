import Foundation
import Statistics

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Foundation has a type of this name, too.

/// A small world of users and events: what a test says of it, the rest as in any.
///
/// Unless told otherwise, the user `u1` has been in the group `control` of the offering `test` since
/// 2026-03-01, the cut-off is 2026-04-01, and every money metric is taken without a window.
struct World {
  /// Rows `user,offering,group,assigned_at` and the attributes' columns.
  var assignments = ["u1,test,control,2026-03-01T00:00:00Z"]
  var attributes: [String] = []
  /// Nothing but the log assigns users.
  var isLogged = false
  /// JSON lines.
  var events: [String] = []
  var metrics = [
    "{name: revenue_gross, window: none, id: gross}", "{name: revenue_net, window: none, id: net}",
    "{name: proceeds, window: none, id: proceeds}", "{name: charges, window: none, id: charges}",
    "{name: refund_rate, window: none, id: refund_rate}",
  ]
  /// More lines of the job file.
  var job = ""
  /// Lines of the products table under its header, and of the exchange rates.
  var products: [String] = []
  var rates: [String] = []
  var asOf = "2026-04-01"

  var productColumns = "product_id,kind,tier,tax_percent,commission_percent"

  /// Writes the world's files into `folder`, and its job, whose path comes back.
  @discardableResult
  func write(to folder: TemporaryFolder, name: String = "job.yml") throws -> String {
    let header = (["user", "offering", "group", "assigned_at"] + attributes).joined(separator: ",")
    try folder.write("assignments.csv", ([header] + assignments).joined(separator: "\n"))
    try folder.write("events.jsonl", events.joined(separator: "\n"))
    if !products.isEmpty {
      try folder.write("products.csv", ([productColumns] + products).joined(separator: "\n"))
    }
    if !rates.isEmpty { try folder.write("rates.csv", (["date,currency,rate"] + rates).joined(separator: "\n")) }
    try folder.write(name, yaml)
    return folder.path(name)
  }

  /// The job file.
  var yaml: String {
    let attributes = attributes.isEmpty ? "" : ", attributes: [\(attributes.joined(separator: ", "))]"
    return """
      job: world
      max_reject_ratio: 1
      \(isLogged ? "" : "assignments: {path: \"assignments*.csv*\"\(attributes)}")
      purchases: {path: "events*.jsonl*", format: events}
      \(products.isEmpty ? "" : "products: products.csv")
      \(rates.isEmpty ? "" : "exchange_rates: rates.csv")
      metrics:
      \(metrics.map { "  - \($0)" }.joined(separator: "\n"))
      \(job)

      """
  }

  /// Measures the world through its files.
  func measure(threads: Int = 1) async throws -> RunMeasurement {
    let folder = try TemporaryFolder()
    let path = try write(to: folder)
    return try await Self.measure(path, asOf: asOf, threads: threads)
  }

  static func measure(
    _ path: String, asOf: String, threads: Int, in context: RunContext = RunContext()
  ) async throws -> RunMeasurement {
    let job = try JobReader.read(path)
    let cutoff = try Instant(asOf, timezone: job.timezone)
    return try await NativeEngine(job: job, cutoff: cutoff, threads: threads, context: context).measure().measurement
  }
}

/// One line of a purchase log. Charges cost 10 USD of the product `p` unless `fields` say otherwise; an empty
/// text leaves a field out.
func event(_ type: String, _ time: String, _ fields: [String: String] = [:]) -> String {
  var all = ["userId": "u1", "eventType": type, "occurredAt": time]
  if ["purchase", "renewal", "one_time_purchase"].contains(type) {
    all.merge(["productId": "p", "price": "10", "currency": "USD"]) { $1 }
  }
  all.merge(fields) { $1 }
  let members = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
  return "{\(members.joined(separator: ","))}"
}

/// `day(2, "10:00")` is that time of 2 March 2026, the month worlds happen in.
func march(_ day: Int, _ clock: String = "12:00:00") -> String {
  "2026-03-\(day < 10 ? "0" : "")\(day)T\(clock)Z"
}

extension RunMeasurement {
  /// A metric's sums over one segment of one group; nil where it was not measured there.
  func sums(
    _ metric: Int, group: Identifier = "control", segment: Identifier = "all", offering: Identifier = "test"
  ) -> SufficientStatistics? {
    self.metric(metric, group: group, segment: segment, offering: offering)?.statistics
  }

  func metric(
    _ metric: Int, group: Identifier = "control", segment: Identifier = "all", offering: Identifier = "test"
  ) -> MetricMeasurement? {
    let groups = offerings.first { $0.id == offering }?.groups
    let segments = groups?.first { $0.id == group }?.segments
    return segments?.first { $0.id == segment }?.metrics[metric]
  }

  /// Gross, net and proceeds in micros, the number of charges, and how many of them stand refunded.
  var money: [Int128] {
    [0, 1, 2, 3, 4].map { sums($0)?.sumY ?? -1 }
  }

  /// Used rows of the purchase logs.
  var used: Int { accounts.filter { $0.input == "purchases" }.reduce(0) { $0 + $1.used } }

  /// Rows of the purchase logs that were set aside.
  var setAside: [SetAsideReason: Int] {
    accounts.filter { $0.input == "purchases" }.reduce(into: [:]) { $0.merge($1.setAside, uniquingKeysWith: +) }
  }

  var offering: OfferingMeasurement? { offerings.first }
}
