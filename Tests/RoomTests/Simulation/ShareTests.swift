import Testing

@testable import Simulation

@Suite("Share")
struct ShareTests {
  @Test(
    "reads plain decimals exactly",
    arguments: [
      ("0", 0), ("1", 1_000_000_000), ("0.031", 31_000_000), ("0.000000001", 1), ("1.0", 1_000_000_000),
    ])
  func reads(text: String, parts: Int64) {
    #expect(Share(text)?.partsPerBillion == parts)
  }

  @Test(
    "refuses what is no plain decimal from 0 to 1",
    arguments: ["", ".", ".5", "1.", "-0.1", "+0.1", "1.1", "1e-3", "5%", "0.0000000001", " 0.1", "0.1.2"])
  func refuses(text: String) {
    #expect(Share(text) == nil)
  }

  @Test("multiplies, and takes its part of an amount, rounding down")
  func arithmetic() throws {
    let third = try #require(Share("0.333333333"))
    #expect(third.of(10) == 3)
    #expect((third * third).partsPerBillion == 111_111_110)
    #expect(third.rest.partsPerBillion == 666_666_667)
    #expect(third.sixDecimals == "0.333333")
    #expect(Share.one.of(Int64.max) == Int64.max)
  }

  @Test("draws from a table by running totals")
  func table() throws {
    var table = ShareTable<String>()
    table.add("a", try #require(Share("0.2")))
    table.add("never", .zero)
    table.add("b", try #require(Share("0.3")))
    #expect(table.total == 500_000_000)
    #expect(table.value(at: 0) == "a")
    #expect(table.value(at: 199_999_999) == "a")
    #expect(table.value(at: 200_000_000) == "b")
    #expect(table.value(at: 500_000_000) == nil)
  }
}
