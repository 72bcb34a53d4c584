import Testing

@testable import Analysis
@testable import Measurement
@testable import Publishing

@Suite("charges_by.csv")
struct ChargesByTableTests {
  @Test("A row a group, attribute and value, money with six decimals")
  func rows() throws {
    let bytes = CSVExporter.bytes(
      of: ChargesByTable().table(of: try CountedNight.night(sales: CountedNight.sales)))
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n") == [
        "offering_id,test_group_id,attribute,value,buyers,charges,refunded_charges,currency,gross,net,proceeds",
        "spring,group_a,paywall,,1,2,1,USD,22.000000,20.000000,14.000000",
        "spring,group_a,paywall,'=a|b,2,3,1,USD,1100.000000,1000.000000,700.000000",
        "spring,group_a,store,ios,3,5,1,USD,1122.000000,1020.000000,714.000000",
      ])
  }
}
