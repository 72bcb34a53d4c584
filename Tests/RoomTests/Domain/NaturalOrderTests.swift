import Testing

@testable import Domain

@Suite("The natural order of names")
struct NaturalOrderTests {
  @Test("Digits count as numbers, everything else by bytes")
  func order() {
    let names: [Identifier] = [
      "", "7d", "14d", "conversion", "conversion_3d", "conversion_7d", "conversion_14d", "conversion_30d",
      "conversion_30d_b", "conversion_d", "revenue_2_of_9", "revenue_2_of_10", "revenue_10_of_9", "é",
    ]
    #expect(names.reversed().sorted { $0.naturallyPrecedes($1) } == names)
  }

  @Test("A number of any length is one, and leading zeros alone go by bytes")
  func numbers() {
    let names: [Identifier] = ["a0", "a00", "a007", "a7", "a99999999999999999999", "a100000000000000000000"]
    #expect(names.reversed().sorted { $0.naturallyPrecedes($1) } == names)
    #expect(!Identifier("a7").naturallyPrecedes("a7"))
  }
}
