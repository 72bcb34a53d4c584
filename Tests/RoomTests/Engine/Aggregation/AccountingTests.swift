import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Where every row went")
struct AccountingTests {
  private func reading(_ input: String, rows: Int, rejects lines: [Int], used: Int? = nil) -> FileReading {
    var reading = FileReading(input: input, file: InputFile(path: "/x", displayName: "\(input).csv"))
    for line in lines {
      reading.reject(
        Reject(
          account: 0, line: line, byteOffset: Int64(line), reason: .malformed, detail: "line \(line) is bad",
          excerpt: []))
    }
    reading.account.rows = rows
    reading.account.outcomes.use(used ?? rows - lines.count)
    return reading
  }

  private func check(_ readings: [FileReading], ratio: Double) throws -> [Reject] {
    var job = Job(name: "job", file: URL(fileURLWithPath: "/job.yml"))
    job.maxRejectRatio = ratio
    return try Accounting(job: job).checked(readings).rejects.all
  }

  @Test("Rejects of one line come in one order, whichever thread was first", arguments: [["b", "a"], ["a", "b"]])
  func oneLine(details: [String]) throws {
    var page = FileReading(input: "log", file: InputFile(path: "/x", displayName: "log.json"))
    for detail in details {
      page.reject(
        Reject(account: 0, line: 4, byteOffset: 90, reason: .noExchangeRate, detail: detail, excerpt: []))
    }
    page.account.rows = 2
    #expect(try check([page], ratio: 1).map(\.detail) == ["a", "b"])
  }

  @Test("Rows that are missing from an account are bad data", arguments: [8, 10])
  func unbalanced(used: Int) {
    let error = #expect(throws: OfferliftError.self) {
      try check([reading("log", rows: 10, rejects: [3], used: used)], ratio: 1)
    }
    #expect(error?.exit == .badData)
    #expect(error?.message.contains("log.csv: 10 rows read, but \(used) used and 1 set aside") == true)
  }

  @Test("As many rejects as the ratio allows are allowed, one more is not")
  func everyRatio() throws {
    for percent in 0...100 {
      let ratio = try #require(
        Double("0.\(percent < 10 ? "0" : "")\(percent)".replacingOccurrences(of: "0.100", with: "1")))
      let allowed = reading("log", rows: 100, rejects: Array(0..<percent))
      #expect(throws: Never.self, "\(percent) %") { try check([allowed], ratio: ratio) }
      guard percent < 100 else { continue }
      let tooMany = reading("log", rows: 100, rejects: Array(0...percent))
      #expect(throws: OfferliftError.self, "\(percent) %") { try check([tooMany], ratio: ratio) }
    }
  }

  @Test("The ratio is of all the files of an input, and of each input by itself")
  func byInput() throws {
    let files = [
      reading("log", rows: 10, rejects: [1]), reading("log", rows: 90, rejects: []),
      reading("empty", rows: 0, rejects: []),
    ]
    #expect(try check(files, ratio: 0.01).count == 1)
    let error = #expect(throws: OfferliftError.self) {
      try check(files + [reading("users", rows: 10, rejects: [7, 2])], ratio: 0.01)
    }
    #expect(error?.message.hasPrefix("users.csv, line 2: line 2 is bad. ") == true)
    #expect(error?.message.contains("Of the 10 rows of users, 2 were rejected") == true)
  }

  @Test("The example of too many rejects is the first of the file, also where it shows after reading")
  func lateExample() {
    var log = reading("log", rows: 9, rejects: [5, 6, 7, 8])
    for (number, line) in [(6, 6), (2, 2), (4, 4)] {
      var bytes: [UInt8] = []
      RejectLine.append(
        Reject(
          account: 3, line: line, byteOffset: Int64(line), reason: .noExchangeRate, detail: "no rate \(number)",
          excerpt: []), to: &bytes)
      log.rejectLate(bytes[...], at: RowPosition(file: 3, byteOffset: line, line: line))
    }
    #expect(log.account.rejected == 7)
    #expect(log.examples.map(\.line) == [2, 4, 5])
  }

  @Test("Rejects come by file and place")
  func order() throws {
    let rejects = try check([reading("b", rows: 9, rejects: [5, 1]), reading("a", rows: 9, rejects: [4])], ratio: 1)
    #expect(rejects.map(\.account) == [0, 0, 1])
    #expect(rejects.map(\.line) == [1, 5, 4])
  }
}
