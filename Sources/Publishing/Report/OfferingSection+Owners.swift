import Analysis
import Domain
import Engine

/// Figures that owners of particular systems ask for.
extension OfferingSection {
  var trialDays: ReportFigure? {
    let all = rows("trial_days")
    guard !all.isEmpty else { return nil }
    return ReportFigure(
      title: "Day of the trial on which users first paid", headings: ["day", "group", "trials", "paid", "share"],
      rows: all.sorted {
        (Int($0["day"]) ?? 0, series(of: $0["test_group_id"])) < (Int($1["day"]) ?? 0, series(of: $1["test_group_id"]))
      }
      .map { row in
        [
          row["day"], row["test_group_id"], words.count(row["trials"]), words.count(row["paid"]),
          words.share(row.number("share")),
        ]
      },
      note: "Of each day only trials that began so long ago that the day is over.")
  }

  /// What was bought by store, by paywall: a figure for each attribute of charges.
  var chargesBy: [ReportFigure] {
    grouped(rows("charges_by"), by: "attribute").map { attribute, rows in
      ReportFigure(
        title: "Charges by \(attribute)",
        headings: [attribute, "group", "buyers", "charges", "refunded", "gross", "net", "proceeds"],
        rows: rows.sorted {
          ($0["value"], series(of: $0["test_group_id"])) < ($1["value"], series(of: $1["test_group_id"]))
        }
        .map { row in
          [
            row["value"].isEmpty ? "(empty)" : row["value"], row["test_group_id"], words.count(row["buyers"]),
            words.count(row["charges"]), words.count(row["refunded_charges"]), words.money(row["gross"]),
            words.money(row["net"]), words.money(row["proceeds"]),
          ]
        },
        note: ChargesByRow.reading)
    }
  }

  /// What users in no offering paid, beside the groups'.
  var outside: ReportFigure? {
    let all = report.rows("outside").filter { $0["place"] == "outside" || $0["offering_id"] == offering }
    guard !all.isEmpty else { return nil }
    return ReportFigure(
      title: "Users outside the test, beside the groups",
      headings: [
        "logged as", "place", "users", "payers", "share", "charges", "gross", "net", "proceeds", "net a user",
      ],
      rows: all.map { row in
        let logged = row["place"] == "group" ? [row["group_id"]] : [row["offering_id"], row["group_id"]]
        return [
          logged.filter { !$0.isEmpty }.joined(separator: ", "), row["place"], words.count(row["users"]),
          words.count(row["payers"]), words.share(row.number("conversion")), words.count(row["charges"]),
          words.money(row["gross"]), words.money(row["net"]), words.money(row["proceeds"]),
          words.money(row["net_per_user"]),
        ]
      },
      note: SummaryTables.noComparison)
  }

  var displayPrices: ReportFigure? {
    let all = rows("display_prices")
    guard !all.isEmpty else { return nil }
    return ReportFigure(
      title: "Charges against the price displayed",
      headings: ["product", "group", "displayed", "charges", "compared", "differing", "for one"],
      rows: all.map { row in
        [
          row["product_id"], row["test_group_id"], price(row["display_price"], row), words.count(row["charges"]),
          words.count(row["compared"]), words.count(row["differing"]), price(row["example"], row),
        ]
      },
      note: "Only charges in the displayed price's currency are compared; offers and prices by country differ too.")
  }

  private func price(_ text: String, _ row: ReportTable.Row) -> String {
    Double(text).map { "\(Phrase.decimal($0, decimals: 6)) \(row["currency"])" } ?? ""
  }
}
