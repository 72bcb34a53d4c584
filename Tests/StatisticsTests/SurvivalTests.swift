import Statistics
import Testing

@Suite("Survival")
struct SurvivalTests {
  private func counts(_ json: JSON) -> [SurvivalCount] {
    json.list.map { row in
      SurvivalCount(time: row.integers[0], ended: row.integers[1], censored: row.integers[2])
    }
  }

  @Test("Kaplan-Meier and its intervals are lifelines'")
  func kaplanMeier() throws {
    for oracle in try OracleCase.all("survival") where oracle.function == "kaplanMeier" {
      let curve = try #require(SurvivalCurve(counts(oracle.arguments)))
      let expected = oracle.value.list
      #expect(curve.points.count == expected.count)
      for (point, row) in zip(curve.points, expected) {
        let row = row.list
        expectEqual(point.survival, row[0].double, within: 1e-12)
        expectEqual(point.variance, row[1].double, within: 1e-11)
        expectEqual(point.interval?.low, row[2].double, within: 1e-10, "\(point)")
        expectEqual(point.interval?.high, row[3].double, within: 1e-10, "\(point)")
      }
    }
  }

  @Test("the log-rank test is statsmodels'")
  func logRank() throws {
    for oracle in try OracleCase.all("survival") where oracle.function == "logRank" {
      let (a, b) = (counts(oracle.arguments["a"]), counts(oracle.arguments["b"]))
      let test = LogRank(baseline: a, other: b)
      expectEqual(test?.chiSquare, oracle.value["chiSquare"].double, within: 1e-10, "\(oracle)")
      expectEqual(test?.pValue, oracle.value["pValue"].double, within: 1e-10, "\(oracle)")
    }
  }

  @Test("two curves are compared with the variance of both together, and by the ends that it expects")
  func difference() throws {
    for oracle in try OracleCase.all("survival") where oracle.function == "survivalDifference" {
      let (a, b) = (counts(oracle.arguments["a"]), counts(oracle.arguments["b"]))
      let time = Int(oracle.arguments["time"].double ?? 0)
      let shares = (oracle.value["shareA"].double ?? 0, oracle.value["shareB"].double ?? 0)
      let comparison = try #require(Comparison(shares: shares, baseline: a, other: b, at: time))
      expectEqual(comparison.standardError, oracle.value["standardError"].double, within: 1e-12, "\(oracle)")
      expectEqual(comparison.pValue, oracle.value["pValue"].double, within: 1e-10, "\(oracle)")
      let ends = try #require(LogRank.expectedEnds(baseline: a, other: b, by: time))
      expectEqual(ends.baseline, oracle.value["endsA"].double, within: 1e-12, "\(oracle)")
      expectEqual(ends.other, oracle.value["endsB"].double, within: 1e-12, "\(oracle)")
    }
  }

  @Test("a curve is read between its times, and its rows may come in any order")
  func reading() throws {
    let rows = [(5, 2, 1), (2, 1, 0), (5, 1, 0), (9, 0, 5)].map {
      SurvivalCount(time: $0.0, ended: $0.1, censored: $0.2)
    }
    let curve = try #require(SurvivalCurve(rows))
    #expect(curve.points.map(\.time) == [2, 5, 9])
    #expect(curve.points.map(\.atRisk) == [10, 9, 5])
    #expect(curve.point(at: 1) == nil)
    #expect(curve.point(at: 7)?.time == 5)
    expectEqual(curve.point(at: 7)?.survival, 0.6, within: 1e-15)
    #expect(SurvivalCurve([SurvivalCount(time: 1, ended: -1, censored: 0)]) == nil)
    #expect(SurvivalCurve([])?.points.isEmpty == true)
  }

  @Test("where nobody ends there is no log-rank test")
  func nobodyEnds() {
    let rows = [SurvivalCount(time: 4, ended: 0, censored: 10)]
    #expect(LogRank(baseline: rows, other: rows) == nil)
  }
}
