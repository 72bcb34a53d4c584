import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// Sales that two inputs tell under different transactions, and what is said of them.
@Suite("Charges that two inputs tell as two")
struct ReportedTwiceTests: OneUser {
  /// The shop's row of a sale and the store's, each with an id of its own.
  private func sale(_ id: String, at clock: String, _ day: Int = 2, price: String = "10") -> String {
    charge(id, price: price, at: march(day, clock))
  }

  private func world(_ inputs: [String]...) -> SourceWorld {
    inputs.reduce(into: SourceWorld()) { $0.add("events", $1) }
  }

  private func reported(_ inputs: [String]...) async throws -> [Int] {
    let world = inputs.reduce(into: SourceWorld()) { $0.add("events", $1) }
    return try await world.measure().reportedTwice.map(\.charges)
  }

  @Test("One sale under two transactions, up to a minute apart")
  func minute() async throws {
    let shop = [sale("1", at: "10:00:00")]
    #expect(try await reported(shop, [sale("a", at: "10:00:00")]) == [1])
    #expect(try await reported(shop, [sale("a", at: "10:01:00")]) == [1])
    #expect(try await reported(shop, [sale("a", at: "09:59:00")]) == [1])
    #expect(try await reported(shop, [sale("a", at: "10:01:00.001")]).isEmpty)
    #expect(try await reported(shop, [sale("a", at: "10:00:00", 3)]).isEmpty)
    #expect(try await reported(shop, [sale("a", at: "10:00:00", price: "10.01")]).isEmpty)
    #expect(try await reported(shop, [sale("", at: "10:00:00")]) == [1])
  }

  @Test("One input's two sales are two, and so are two that both inputs tell")
  func twoSales() async throws {
    let (first, second) = (sale("1", at: "10:00:00"), sale("2", at: "10:00:10"))
    #expect(try await reported([first, second], [sale("3", at: "10:00:00", 9)]).isEmpty)
    #expect(try await reported([first, second], [first, second]).isEmpty)
    #expect(try await reported([first, second], [sale("1", at: "10:00:05"), sale("2", at: "10:00:15")]).isEmpty)
  }

  @Test("Each sale is told again once by each other input")
  func pairs() async throws {
    let shop = [sale("1", at: "10:00:00"), sale("2", at: "10:00:10")]
    #expect(try await reported(shop, [sale("a", at: "10:00:01")]) == [1])
    #expect(try await reported(shop, [sale("a", at: "10:00:01"), sale("b", at: "10:00:11")]) == [2])
    let three = try await world(shop, [sale("a", at: "10:00:01")], [sale("x", at: "10:00:02")]).measure()
    #expect(three.reportedTwice.map(\.inputs) == [[0, 1], [0, 2]])
    #expect(three.moneyCounts.charges == 4)
  }

  @Test("The earliest two rows are shown, the same in every way a run goes")
  func everyWay() async throws {
    let days = Array(2...20)
    let shop = days.map { sale("\($0)", at: "10:00:00", $0) }
    let store = days.reversed().map { sale("s\($0)", at: "10:00:30", $0) }
    try await world(store, shop).everyWay().forEach { found, way in
      #expect(found.reportedTwice.count == 1, way)
      #expect(found.reportedTwice.first?.charges == 19, way)
      #expect(found.moneyCounts.charges == 38, way)
      let example = found.reportedTwice.first?.example
      #expect(example?.rows.map(\.file) == ["log1.txt", "log0.txt"], way)
      #expect(example?.rows.map(\.time.rfc3339) == [march(2, "10:00:00"), march(2, "10:00:30")], way)
      #expect(example?.product == "p" && example?.micros == 10_000_000 && example?.currency == "USD", way)
    }
  }

  @Test("It warns from one in a thousand and fails from one in a hundred", arguments: [(1000, 1), (999, 1), (990, 10)])
  func levels(sales: Int, again: Int) async throws {
    let shop = (0..<sales).map { number in
      sale("\(number)", at: "\(10 + number / 60 % 10):\(10 + number % 50):00", 2 + number / 600, price: "\(number + 1)")
    }
    let store = (0..<again).map { shop[$0].replacing("\"transactionId\":\"", with: "\"transactionId\":\"s") }
    let check = try #require(try await world(shop, store).checks().first { $0.name == "told_twice" })
    #expect(check.status == (sales == 1000 ? .pass : again == 1 ? .warn : .fail))
    #expect(check.isReported == (check.status != .pass))
    #expect(check.message.contains("columns: {transactionId: COLUMN}"))
  }
}
