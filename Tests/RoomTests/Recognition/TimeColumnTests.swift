import Foundation
import Testing

@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("The column of times among columns of numbers")
struct TimeColumnTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What is made of a table of charges: of each field its column, and the remark about the times.
  private func recognise(_ header: String, _ row: (Int) -> String) throws -> (found: [String: String], times: String) {
    let users = (0..<60).map { "u\($0),\($0 % 2 == 0 ? "a" : "b"),2026-03-01" }
    let file = try folder.write("users.csv", (["user,group,assigned_at"] + users).joined(separator: "\n"))
    let log = try folder.write("log.csv", ([header] + (0..<60).map(row)).joined(separator: "\n"))
    var files = Recognition.Files()
    (files.assignments, files.purchases) = ([file.path], [log.path])
    let purchases = try #require(
      Recognition(files, job: folder.url.appendingPathComponent("job.yml")).purchases.first)
    let columns = purchases.input.table.columns
    return (columns, try #require(purchases.remarks.first { $0.subject == "times" }).line)
  }

  private func clock(_ row: Int) -> String { "\(10 + row % 9).11.2025 00:\(10 + row % 50)" }

  @Test(
    "Order numbers that could count days, seconds or milliseconds are not taken for times",
    arguments: [40_000, 45_966, 99_000, 1_700_000_000, 1_700_000_000_000], ["Nr", "Bestellnr", "Receipt", "x"])
  func orderNumbers(first: Int, name: String) throws {
    let (found, times) = try recognise("\(name),kunde,Zeit der Zahlung,betrag") { row in
      "\(first + 3 * row),u\(row),\(clock(row)),9.99"
    }
    #expect(found["occurredAt"] == "Zeit der Zahlung" && times.hasPrefix("times: %d.%m.%Y %H:%M (certain"), "\(times)")
  }

  @Test("Where numbers are all there is, those that count the rows are not the times, and the others are a guess")
  func clocks() throws {
    let (found, times) = try recognise("n,kunde,t,betrag") { row in
      "\(1_700_000_000 + row),u\(row),\(1_700_000_000 + row * row % 7 * 1000),9.99"
    }
    #expect(found["occurredAt"] == "t")
    #expect(times.contains("(a guess: 1700000000 counts seconds since 1970, if they are times at all"), "\(times)")
    let error = #expect(throws: (any Error).self) {
      try recognise("n,kunde,betrag") { row in "\(45_966 + row),u\(row),9.99" }
    }
    #expect("\(try #require(error))".contains("--column occurredAt=NAME"))
  }

  @Test("Numbers whose column is called a time are sure to be one", arguments: ["paid_at", "wann", "Datum", "Bought"])
  func named(name: String) throws {
    let (found, times) = try recognise("n,kunde,\(name),betrag") { row in
      "\(45_966 + row),u\(row),\(1_700_000_000 + row),9.99"
    }
    #expect(found["occurredAt"] == name && times.contains("(certain: "), "\(times)")
  }

  @Test("The number of an order in other words tells charges apart, and neither a time nor an address does")
  func transactions() throws {
    let (found, _) = try recognise("Bestellnr,kunde,Bezahlt am,betrag") { row in
      "\(45_966 + row),u\(row),\(clock(row)),9.99"
    }
    #expect(found["transactionId"] == "Bestellnr" && found["occurredAt"] == "Bezahlt am")
    let (other, _) = try recognise("order_date,receipt_email,kunde,Bezahlt am,betrag") { row in
      "2026-03-\(10 + row % 20) 00:\(10 + row % 50),p\(row)@example.com,u\(row),\(clock(row)),9.99"
    }
    #expect(other["transactionId"] == nil)
  }

  @Test(
    "Numbers of rows go one way by small steps, and times do not",
    arguments: [
      (["7", "8", "11"], true), (["11", "8", "7"], true), (["7", "8", "8"], false), (["8", "7", "9"], false),
      (["100", "200", "300"], false), (["7"], false), (["7", "x"], false), (["7", "", "9"], true),
      (["-9223372036854775808", "9223372036854775807"], false),
    ])
  func rows(values: [String], count: Bool) { #expect(ColumnValues(values).countRows == count) }
}
