import Analysis
import Domain
import Engine

/// What becomes of an offering's users: funnels, retention, states, products, failures.
extension OfferingSection {
  /// The figures of a table by its name, as a question asks for them.
  func figures(_ table: String) -> [ReportFigure] {
    switch table {
    case "funnels": funnels + funnelSplits
    case "retention": retention
    case "states": [states].compactMap(\.self)
    case "products": [products].compactMap(\.self)
    case "charges_by": chargesBy
    case "failures": [failures].compactMap(\.self)
    case "outside": [outside].compactMap(\.self)
    case "trial_days": [trialDays].compactMap(\.self)
    case "display_prices": [displayPrices].compactMap(\.self)
    default: []
    }
  }

  var others: [ReportFigure] {
    [states, products].compactMap(\.self) + chargesBy
      + [displayPrices, trialDays, failures, outside, segments].compactMap(\.self)
  }

  var funnels: [ReportFigure] {
    grouped(rows("funnels"), by: "funnel").map { name, rows in
      let ordered = rows.sorted {
        ($0.number("step") ?? 0, series(of: $0["test_group_id"])) < (
          $1.number("step") ?? 0, series(of: $1["test_group_id"])
        )
      }
      let bars = ordered.compactMap { row in
        row.number("users").map { users in
          BarChart.Bar(
            label: "\(row["name"]), \(row["test_group_id"])", series: series(of: row["test_group_id"]), value: users,
            interval: nil, text: "\(words.count(row["users"])) (\(words.share(row.number("of_first"))))")
        }
      }
      return ReportFigure(
        title: "Funnel: \(name)", svg: BarChart(bars: bars).svg(title: "Funnel \(name) by group"),
        headings: ["step", "group", "users", "of the step before", "of the first", "p against the baseline"],
        rows: ordered.map { row in
          [
            "\(row["step"]). \(row["name"])", row["test_group_id"], words.count(row["users"]),
            words.share(row.number("of_previous")), words.share(row.number("of_first")),
            row["reachable"] == "false" ? "cannot take it" : words.pValue(row.number("p_value_vs_baseline")),
          ]
        },
        note: tooRecent(rows))
    }
  }

  /// Who is in no step yet: users whose time for the steps is not over.
  private func tooRecent(_ rows: [ReportTable.Row]) -> String? {
    let first = rows.filter { $0["step"] == "1" && ($0.number("immature") ?? 0) > 0 }
    guard !first.isEmpty else { return nil }
    let users = first.map { "\(words.count($0["immature"])) of \($0["test_group_id"])" }
    return "Not counted, as their time for the steps is not over: \(Phrase.list(users))."
  }

  /// The funnels that part their users by an event.
  var funnelSplits: [ReportFigure] {
    grouped(rows("funnel_splits"), by: "funnel").map { name, rows in
      let event = rows.first?["split_by"] ?? ""
      return ReportFigure(
        title: "Funnel \(name), with and without \(event)",
        headings: ["group", event, "step", "users", "of the first"],
        rows: groups.flatMap { group in rows.filter { $0["test_group_id"] == group } }.map { row in
          [
            row["test_group_id"], row["happened"], "\(row["step"]). \(row["name"])", words.count(row["users"]),
            words.share(row.number("of_first")),
          ]
        },
        note: SummaryTables.splitNote(event))
    }
  }

  var retention: [ReportFigure] {
    retention("retention_renewals", time: "renewals_due", "renewals due", "renewal")
      + retention("retention", time: "day", "day", "day")
  }

  /// The curves of a table whose time stands in the column `time`, called `heading`, one of it `unit`.
  private func retention(_ table: String, time: String, _ heading: String, _ unit: String) -> [ReportFigure] {
    grouped(rows(table), by: "metric").map { metric, rows in
      let curves = groups.compactMap { group -> LineChart.Curve? in
        let points = rows.filter { $0["test_group_id"] == group && $0[time] != "0" }.compactMap { point($0, time) }
        guard !points.isEmpty else { return nil }
        return LineChart.Curve(
          label: group, series: series(of: group), points: [LineChart.Point(x: 0, y: 1, band: (1, 1))] + points)
      }
      let chart = LineChart(
        curves: curves, isStepped: true, including: 0, xLabel: { "\(unit) \(Int($0))" }, yLabel: Phrase.percent)
      return ReportFigure(
        title: "Retention by \(heading): \(metric)", svg: chart.svg(title: "Share of subscribers left, by \(heading)"),
        headings: [heading, "group", "at risk", "ended", "censored", "left", "interval"],
        rows: rows.map { row in
          [
            row[time], row["test_group_id"], words.count(row["at_risk"]), words.count(row["ended"]),
            words.count(row["censored"]), words.share(row.number("survival")),
            row.number("ci_low").flatMap { low in
              row.number("ci_high").map { "\(Phrase.percent(low)) to \(Phrase.percent($0))" }
            } ?? "",
          ]
        }, isFolded: true)
    }
  }

  private func point(_ row: ReportTable.Row, _ time: String) -> LineChart.Point? {
    guard let time = row.number(time), let survival = row.number("survival") else { return nil }
    let ends = [row.number("ci_low"), row.number("ci_high")].compactMap(\.self)
    return LineChart.Point(x: time, y: survival, band: ends.count == 2 ? (ends[0], ends[1]) : (survival, survival))
  }

  /// A line a state, a column a group.
  private var states: ReportFigure? {
    let all = rows("states")
    var names: [String] = []
    for row in all where !names.contains(row["state"]) { names.append(row["state"]) }
    let reached = names.filter { name in all.contains { $0["state"] == name && $0["users"] != "0" } }
    guard !reached.isEmpty else { return nil }
    return ReportFigure(
      title: "Where everybody stands", headings: ["state"] + groups,
      rows: reached.map { name in
        [ReportWords.plain(name)]
          + groups.map { group in
            all.first { $0["state"] == name && $0["test_group_id"] == group }
              .map { "\(words.count($0["users"])) (\(words.share($0.number("share"))))" } ?? ""
          }
      })
  }

  private var products: ReportFigure? {
    let all = rows("products")
    guard !all.isEmpty else { return nil }
    let ordered = all.sorted {
      ($0["product_id"], series(of: $0["test_group_id"])) < ($1["product_id"], series(of: $1["test_group_id"]))
    }
    let bars = ordered.compactMap { row in
      row.number("buyers").map {
        BarChart.Bar(
          label: "\(row["product_id"]), \(row["test_group_id"])", series: series(of: row["test_group_id"]), value: $0,
          interval: nil, text: "\(words.count(row["buyers"])) buyers")
      }
    }
    return ReportFigure(
      title: "Product mix", svg: BarChart(bars: bars).svg(title: "Buyers by product and group"),
      headings: [
        "product", "group", "kind", "buyers", "first choice of", "charges", "refunded", "gross", "net", "proceeds",
      ],
      rows: ordered.map { row in
        [
          row["product_id"], row["test_group_id"], ReportWords.plain(row["kind"]), words.count(row["buyers"]),
          words.count(row["first_buyers"]), words.count(row["charges"]), words.count(row["refunded_charges"]),
          words.money(row["gross"]), words.money(row["net"]), words.money(row["proceeds"]),
        ]
      })
  }

  private var failures: ReportFigure? {
    let all = rows("failures")
    guard !all.isEmpty else { return nil }
    return ReportFigure(
      title: "Failures by code",
      headings: ["code", "group", "event", "times", "receipts", "of all sent", "users", "meaning"],
      rows: all.map { row in
        [
          row["code"], row["test_group_id"], ReportWords.plain(row["event"]), words.count(row["events"]),
          words.count(row["transactions"]),
          row.number("rate").map { "\(Phrase.percent($0)) of \(words.count(row["receipts"]))" } ?? "",
          words.count(row["users"]), row["meaning"],
        ]
      })
  }

  /// Segments are exploratory: many looks at few users each.
  private var segments: ReportFigure? {
    let all = rows("comparisons").filter { $0["segment"] != "all" && $0.isTrue("primary") }
    guard !all.isEmpty else { return nil }
    return ReportFigure(
      title: "Segments (exploratory)",
      headings: ["segment", "metric", "group", "baseline", "value", "lift", "adjusted p"],
      rows: all.map { row in
        [
          row["segment"], row["metric"], row["test_group_id"],
          words.value(row.number("baseline_value"), of: row["metric"]),
          words.value(row.number("value"), of: row["metric"]), row.number("rel_lift").map(Phrase.lift) ?? "",
          words.pValue(row.number("p_value_adjusted")),
        ]
      }, isFolded: true)
  }

  /// What a check found, of this offering or of the run.
  func checks(named name: String) -> ReportFigure? {
    let found = report.rows("checks").filter {
      $0["check"] == name && ($0["offering_id"] == offering || $0["offering_id"].isEmpty)
    }
    guard !found.isEmpty else { return nil }
    return ReportFigure(
      title: "", headings: ["check", "what was found"],
      rows: found.map { [ReportWords.plain($0["check"]), $0["message"]] })
  }

  /// Rows by a column's value, in the order the values come.
  func grouped(_ rows: [ReportTable.Row], by column: String) -> [(String, [ReportTable.Row])] {
    var names: [String] = []
    for row in rows where !names.contains(row[column]) { names.append(row[column]) }
    return names.map { name in (name, rows.filter { $0[column] == name }) }
  }
}
