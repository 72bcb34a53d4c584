import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Which columns name the same users")
struct UserColumnsTests {
  /// Seven thousand users whose buyers stand far behind the first rows.
  private func users(_ name: String, _ other: String) -> String {
    let rows = (0..<7000).map { "u\($0),\($0 % 2 == 0 ? "a" : "b"),2026-03-01,\(["US", "DE", "FR"][$0 % 3])" }
    return (["\(name),group,assigned_at,\(other)"] + rows).joined(separator: "\n")
  }

  @Test(
    "Values that meet on both sides and are many name users; a country or a device never does",
    arguments: [
      ("user_id", "customer", "country"), ("uid", "uid", "device"), ("app_account", "buyer", "country"),
      ("x", "y", "z"),
    ])
  func many(left: String, right: String, few: String) throws {
    let log = try RecognisedLog("order_id,\(right),date,total,\(few)", rows: 200, users: users(left, few)) { row in
      "\(row),u\(6000 + row * 5),2026-03-\(10 + row % 18),9.99,\(["US", "DE", "FR"][row % 3])"
    }
    #expect(log.column("userId") == right)
    #expect(log.remarks.contains { $0.line.hasPrefix("userId: column \"\(right)\" (certain: 100 %") })
    #expect(log.assignments.columns["user"] ?? "user" == left)
  }

  @Test("Numbers that count something else lie among numbers of users; where no name tells, it is asked")
  func numbers() throws {
    let users =
      "key,nr,group,assigned_at\n"
      + (0..<400).map { "\($0),\(9000 + $0),\($0 % 2 == 0 ? "a" : "b"),2026-03-01" }.joined(separator: "\n")
    func row(_ row: Int) -> String { "\(row),\(9000 + row),2026-03-\(10 + row % 18),9.99" }
    let error = #expect(throws: (any Error).self) {
      try RecognisedLog("first,second,date,total", rows: 200, users: users, row)
    }
    #expect("\(try #require(error))".contains("--column user=nr --column userId=second"))
    let named = try RecognisedLog("line,customer,date,total", rows: 200, users: users, row)
    #expect(named.column("userId") == "customer" && named.assignments.columns["user"] == "nr")
  }

  @Test("Columns that say the same are one and the same")
  func copies() throws {
    let log = try RecognisedLog("order_no,custom_id,identity_id,date,total") { row in
      "\(row),u\(row),u\(row),2026-03-\(10 + row % 18),9.99"
    }
    #expect(log.column("userId") == "custom_id")
  }
}
