import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Products as a server has them: a table with its own names, or what it answered when asked for them.
@Suite("Products of a server")
struct ProductsTests {
  private let folder: TemporaryFolder
  private let job: Job

  init() throws {
    folder = try TemporaryFolder()
    job = Job(name: "job", file: folder.url.appendingPathComponent("job.yml"))
  }

  private func read(_ text: String, _ format: TableFormat = .jsonl) throws -> (
    products: Products, readings: [FileReading]
  ) {
    try folder.write("products.txt", text)
    var input = TableInput("products", path: "products.txt", format: format)
    input.holdsAnswers = true
    return try Products.read(input, job: job)
  }

  private static let basic =
    #"{"id":1,"product_id":"basic","name":"Basic","tier":"basic","platform":"apple","duration_days":30,"scan_credits":30}"#
  private static let premium =
    #"{"id":3, "product_id":"premium", "tier":"premium", "duration_days":30, "scan_credits":100}"#

  private func expect(_ found: (products: Products, readings: [FileReading]), rows: Int) {
    let reading = found.readings[0]
    #expect(reading.account.isBalanced)
    #expect(reading.account.used == rows)
    for (id, credits) in [("basic", 30), ("premium", 100)] as [(Identifier, Int64)] {
      let row = found.products.rows[id]
      #expect(row?.credits == credits)
      #expect(row?.period == Period("P30D"))
      #expect(row?.tier == id)
      // A price, or a length of 30 days, says no kind.
      #expect(row?.kind == nil)
    }
  }

  @Test("A table that has credits and days under the server's names is read as it is")
  func table() throws {
    let header = "id,product_id,name,tier,platform,duration_days,scan_credits\n"
    let rows =
      "1,basic,Basic,basic,apple,30,30\n3,premium,Premium,premium,apple,30,100\n4,basic,Basic,basic,google,30,30\n"
    expect(try read(header + rows, .csv), rows: 3)
  }

  @Test("Our own names come first")
  func ownNames() throws {
    let found = try read(
      "product_id,credits,period,scan_credits,duration_days\na,5,P1M,30,30\nb,,,30,30\nc,0,,30,7\n", .csv
    ).products
    #expect(["a", "b", "c"].map { found.rows[$0]?.credits } == [5, 30, 0])
    #expect(["a", "b", "c"].map { found.rows[$0]?.period } == [Period("P1M"), Period("P30D"), Period("P7D")])
  }

  @Test("One array, an array a line, objects of several lines and stored answers hold the same products")
  func arrays() throws {
    let (basic, premium) = (Self.basic, Self.premium)
    expect(try read("[\(basic),\(premium)]"), rows: 2)
    expect(try read("\u{feff}[ \(basic) ,\n\(premium)\n]\n"), rows: 2)
    expect(try read("[]\n[\(premium)]\n[\(basic),\(premium)]\n"), rows: 3)
    expect(try read("[\n  \(basic.replacing(",", with: ",\n    "))\n,\n  \(premium)\n]\n"), rows: 2)
    expect(try read("\(basic)\n\(premium)\n"), rows: 2)
    let call = #"{"userId":"u1","occurredAt":"2026-03-01T00:00:00Z","endpoint":"/subscription/products","response":"#
    expect(try read("\(call)[\(basic),\(premium)]}\n\(call)[\(premium)]}\n"), rows: 3)
  }

  @Test("Calls that list nothing are set aside by name, and what is no row of a list is rejected")
  func otherCalls() throws {
    let call = #"{"endpoint":"/user/subscription","response":{"is_active":false}}"#
    let empty = #"{"endpoint":"/subscription/products","response":[]}"#
    let odd = #"{"endpoint":"/subscription/products","response":[3]}"#
    let reading = try read("\(call)\n\(empty)\n\(odd)\n{\"response\":[\(Self.basic)]}\n").readings[0]
    #expect(reading.account.used == 1)
    #expect(reading.account.setAside[.notMeasured] == 2)
    #expect(reading.rejects.all.map(\.detail) == ["response[0] is not an object"])
    #expect(reading.account.isBalanced)
  }

  @Test(
    "Days and credits that are no counts are rejected with why",
    arguments: [
      ("0,1", "duration_days 0 is not from 1 to 99999"), ("100000,1", "duration_days 100000 is not"),
      ("30.5,1", "duration_days \"30.5\" is not a whole number from 0"),
      ("30,-1", "scan_credits \"-1\" is not a whole"),
    ])
  func badCounts(values: String, detail: String) throws {
    let reading = try read("product_id,duration_days,scan_credits\na,\(values)\n", .csv).readings[0]
    #expect(reading.rejects.all.first?.detail.hasPrefix(detail) == true)
  }

  @Test("Answers that differ in what a product is are refused, and the line is named")
  func contradiction() throws {
    let error = #expect(throws: OfferliftError.self) {
      try read("[\(Self.basic)]\n[\(Self.basic.replacing("\"scan_credits\":30", with: "\"scan_credits\":40"))]\n")
    }
    #expect(error?.message.contains("line 2: this is what basic is, and an earlier row says otherwise") == true)
  }
}
