import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Publishing

/// `charges_by.csv` and what report and summary say of it.
struct ChargesByTableTests {
  private func sums(_ buyers: Int, charges: Int, net: Int128) -> ProductTally.Sums {
    var sums = ProductTally.Sums()
    (sums.buyers, sums.charges, sums.refundedCharges) = (buyers, charges, 1)
    (sums.gross, sums.net, sums.proceeds) = (net * 1_100_000, net * 1_000_000, net * 700_000)
    return sums
  }

  private func night(_ sales: [AttributeSales]) throws -> NightResult {
    var groups = ["control", "group_a"].map { id in
      HandMade.group(Identifier(id), users: 1000, HandMade.proportion(100, of: 1000))
    }
    groups[1].tables.attributes = sales
    return try HandMade.night(
      HandMade.offering(groups[0], groups[1]), metrics: [HandMade.conversion], job: HandMade.job())
  }

  private var sales: [AttributeSales] {
    [
      AttributeSales(attribute: "paywall", value: "", sums: sums(1, charges: 2, net: 20)),
      AttributeSales(attribute: "paywall", value: "=a|b", sums: sums(2, charges: 3, net: 1000)),
      AttributeSales(attribute: "store", value: "ios", sums: sums(3, charges: 5, net: 1020)),
    ]
  }

  @Test func `A row a group, attribute and value, money with six decimals`() throws {
    let bytes = CSVExporter.bytes(of: ResultTable.chargesBy.table(of: try night(sales)))
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n") == [
        "offering_id,test_group_id,attribute,value,buyers,charges,refunded_charges,currency,gross,net,proceeds",
        "spring,group_a,paywall,,1,2,1,USD,22.000000,20.000000,14.000000",
        "spring,group_a,paywall,'=a|b,2,3,1,USD,1100.000000,1000.000000,700.000000",
        "spring,group_a,store,ios,3,5,1,USD,1122.000000,1020.000000,714.000000",
      ])
  }

  @Test func `A question's answer names the attributes, and is silent where no charge tells one`() throws {
    for (sales, answer) in [(sales, "charges by paywall and store below"), ([], "Nothing to tell yet.")] {
      var night = try night(sales)
      night.questions = [Question(text: "Which paywall?", tables: [.chargesBy])]
      #expect(SummaryQuestions(night: night, offering: "spring").text.contains("**Which paywall?** \(answer)"))
    }
  }

  @Test func `Report and summary show it beside the sentence that it is no comparison, and only where there is any`()
    throws
  {
    let night = try night(sales)
    let summary = SummaryTables(night: night, offering: "spring").text
    #expect(
      summary.contains(
        """
        | Buyers by paywall (net money) | control | group_a |
        |---|--:|--:|
        | =a\\|b |  | 2 (1,000 USD) |
        | (empty) |  | 1 (20 USD) |

        | Buyers by store (net money) | control | group_a |
        |---|--:|--:|
        | ios |  | 3 (1,020 USD) |

        \(ChargesByRow.reading)
        """))
    let page = try Report.html(of: night, tables: ResultTable.tables(of: night))
    #expect(page.contains("Charges by paywall") && page.contains("Charges by store"))
    #expect(page.contains(ChargesByRow.reading))
    let empty = try self.night([])
    #expect(!SummaryTables(night: empty, offering: "spring").text.contains("Buyers by paywall"))
    #expect(!(try Report.html(of: empty, tables: ResultTable.tables(of: empty))).contains(ChargesByRow.reading))
  }
}
