import Foundation
import Testing

/// A file that comes late is named with what it adds and what it moves; every count here is made by hand from the rows.
@Suite("Files that come late, are replaced or gone")
struct LateFileTests {
  let binary: Binary

  init() throws {
    binary = try Binary()
    try binary.writeJob(Self.job)
  }

  private static func job(_ text: String) -> String {
    text.replacingOccurrences(of: "log.jsonl", with: "log*.jsonl")
      .replacingOccurrences(of: "users.csv", with: "users*.csv")
  }

  private func publish(_ date: String, _ options: [String] = [], at location: SourceLocation = #_sourceLocation) throws
  {
    let outcome = try binary.run(["run", "jobs/test.yml", "--date", date] + options)
    #expect(outcome.exit == 0, "\(outcome.errors)", sourceLocation: location)
  }

  private func rows(_ date: String, _ table: String) throws -> [[String: String]] {
    let lines = try binary.text("reports/test/\(date)/\(table).csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  /// `../data/log-2.jsonl late 2 charges 19.980000, 0 refunds 0.000000, 0 users`
  private func files(_ date: String) throws -> [String] {
    try rows(date, "changed_files").map { row in
      let counts =
        row["charges"] == ""
        ? ""
        : "\(row["charges"] ?? "") charges \(row["gross"] ?? ""), "
          + "\(row["refunds"] ?? "") refunds \(row["refunded"] ?? ""), \(row["users"] ?? "") users"
      return "\(row["file"]?.split(separator: "/").last ?? "") \(row["change"] ?? "") \(counts)"
        .trimmingCharacters(in: .whitespaces)
    }
  }

  private func summary(_ date: String) throws -> String { try binary.text("reports/test/\(date)/summary.md") }

  private static func event(
    _ type: String, _ user: Int, _ time: String, _ transaction: String, price: String = "9.99"
  ) -> String {
    #"{"userId":"u\#(user)","eventType":"\#(type)","occurredAt":"\#(time)","productId":"p","price":"\#(price)","currency":"USD","transactionId":"\#(transaction)"}"#
      + "\n"
  }

  private static func purchase(_ user: Int, _ time: String = "2026-03-03T10:00:00Z", price: String = "9.99") -> String {
    event("purchase", user, time, "t\(user)", price: price)
  }

  @Test("Two late logs are named with what each adds: what both tell counts for the first, what was known for none")
  func late() throws {
    try publish("2026-03-28")
    try binary.write("data/log-2.jsonl", Self.purchase(1) + Self.purchase(2) + Self.purchase(4, "2026-03-28T10:00:00Z"))
    // u3 paid in the first log; u2 is told by log-2, too; u40's time is after the night before.
    try binary.write(
      "data/log-3.jsonl",
      Self.purchase(2) + Self.purchase(5, price: "0.125") + Self.purchase(40, "2026-03-29T10:00:00Z"))
    try publish("2026-03-29")
    #expect(
      try files("2026-03-29") == [
        "log-2.jsonl late 3 charges 29.970000, 0 refunds 0.000000, 0 users",
        "log-3.jsonl late 1 charges 0.125000, 0 refunds 0.000000, 0 users",
      ])
    let text = try summary("2026-03-29")
    #expect(
      text.contains(
        "log-2.jsonl came late: 3 charges, +29.97 USD; ../data/log-3.jsonl came late: 1 charge, +0.125 USD."))
    #expect(text.contains("The call is the same as on that night."))
    // Of 20 users each u2, and u1 and u5, are new payers: 7 of 20 where there were 6, and 9 of 20 where there were 7.
    let restated = try rows("2026-03-29", "restated")
    #expect(restated.map { $0["published_value"] } == ["0.300000", "0.350000"])
    #expect(restated.map { $0["restated_value"] } == ["0.350000", "0.450000"])
    #expect(Double(restated[1]["published_lift"] ?? "").map { abs($0 - (7.0 / 6 - 1)) < 1e-12 } == true)
    #expect(Double(restated[1]["restated_lift"] ?? "").map { abs($0 - (9.0 / 7 - 1)) < 1e-12 } == true)
  }

  @Test("A late refund, and late assignments, are told as such")
  func refundsAndUsers() throws {
    try publish("2026-03-28")
    try binary.write(
      "data/log-2.jsonl", Self.event("refund", 3, "2026-03-10T00:00:00Z", "3", price: "4.00"))
    try binary.write(
      "data/users-2.csv",
      "user,offering,group,assigned_at\nu41,test,control,2026-03-01T00:00:00Z\nu1,test,treatment,2026-03-01T00:00:00Z\nu42,test,control,2026-03-29T00:00:00Z\n"
    )
    try publish("2026-03-29")
    #expect(
      try files("2026-03-29") == [
        "users-2.csv late 0 charges 0.000000, 0 refunds 0.000000, 1 users",
        "log-2.jsonl late 0 charges 0.000000, 1 refunds 4.000000, 0 users",
      ])
    let text = try summary("2026-03-29")
    #expect(text.contains("users-2.csv came late: 1 user; ../data/log-2.jsonl came late: 1 refund, −4.00 USD."))
  }

  @Test("A file that tells nothing new is in the table alone, one of later days is not")
  func nothing() throws {
    try publish("2026-03-28")
    try binary.write("data/log-2.jsonl", Self.event("purchase", 3, "2026-03-02T10:00:00Z", "3"))
    try binary.write("data/log-3.jsonl", Self.purchase(1, "2026-03-29T08:00:00Z"))
    try publish("2026-03-29")
    #expect(try files("2026-03-29") == ["log-2.jsonl late 0 charges 0.000000, 0 refunds 0.000000, 0 users"])
    #expect(try rows("2026-03-29", "restated").isEmpty)
    #expect(try !summary("2026-03-29").contains("came late"))
  }

  @Test("A file that was corrected, one that grew and one that is gone are named with their rows")
  func others() throws {
    try binary.write("data/log-2.jsonl", Self.purchase(1))
    try binary.write("data/log-3.jsonl", Self.purchase(2))
    try publish("2026-03-28")
    try binary.write("data/log-2.jsonl", Self.purchase(1, "2026-03-20T10:00:00Z"))
    try binary.write("data/log-3.jsonl", Self.purchase(2) + Self.purchase(4))
    try publish("2026-03-29")
    #expect(try files("2026-03-29") == ["log-2.jsonl replaced", "log-3.jsonl grown"])
    try FileManager.default.removeItem(at: binary.folder.appendingPathComponent("data/log-3.jsonl"))
    try publish("2026-03-30")
    #expect(try files("2026-03-30") == ["log-3.jsonl gone"])
    #expect(try rows("2026-03-30", "changed_files").first?["previous_rows"] == "2")
    #expect(try summary("2026-03-30").contains("log-3.jsonl is gone: it had 2 rows."))
  }

  @Test("With state:, with little memory and on another number of threads it is the same, byte by byte")
  func sameBytes() throws {
    try publish("2026-03-28")
    try binary.write("data/log-2.jsonl", (1...20).map { Self.purchase($0) }.joined())
    try binary.write("data/users-2.csv", "user,offering,group,assigned_at\nu41,test,control,2026-03-01T00:00:00Z\n")
    func night(_ options: String...) throws -> [String: Data] {
      try publish("2026-03-29", options)
      return try binary.snapshot("reports/test/2026-03-29").filter { $0.key != "run.json" }
    }
    let plain = try night("--threads", "1")
    #expect(try night("--memory", "256M", "--threads", "2") == plain)
    try binary.write("jobs/test.yml", try binary.text("jobs/test.yml") + "state:\n")
    let retained = try night()
    #expect(retained["changed_files.csv"] == plain["changed_files.csv"])
    #expect(try night() == retained)
  }
}
