import Domain
import Jobs

extension Story {
  /// Daily rates of exchange, of which weekends have none.
  struct Rates: Sendable {
    /// The currency that one unit of another is worth so much of.
    var reporting: String
    /// By currency: billionths of the reporting currency about which the days' rates lie.
    var middles: [(currency: String, billionths: Int64)]
    let seed: UInt64
    let firstDay: Int64
    let lastDay: Int64
  }
}

extension Story.Rates {
  init?(_ section: YAMLSection?, _ scenario: Scenario) {
    guard let section else { return nil }
    reporting = section.required("reporting") ?? ""
    let rates = section.requiredSection("rates")
    middles = (rates?.entries ?? []).map { entry in
      let text = entry.node.scalar?.string ?? ""
      let billionths = Int64(plainDecimal: text, positions: 9)
      if billionths == nil { section.problems.add(entry.line, "\"\(text)\" is not a rate; write it as 1.27.") }
      return (entry.key, billionths ?? 1_000_000_000)
    }
    rates?.finish()
    section.finish()
    seed = scenario.seed
    firstDay = scenario.enrolmentFrom.utcDay - 40
    lastDay = scenario.until.utcDay
  }

  /// Billionths of the reporting currency for one unit on a UTC day, weekends as the Friday before; nil for a
  /// currency without rates.
  func rate(_ currency: String, day: Int64) -> Int64? {
    if currency == reporting { return 1_000_000_000 }
    guard let index = middles.firstIndex(where: { $0.currency == currency }) else { return nil }
    return ownRate(index, day: Self.isWeekend(day) ? (Self.isWeekend(day - 1) ? day - 2 : day - 1) : day)
  }

  /// `date,currency,rate`, the days in order.
  var csv: [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(csv: ["date", "currency", "rate"])
    for day in firstDay...lastDay where !Self.isWeekend(day) {
      for (index, middle) in middles.enumerated() {
        let rate = ownRate(index, day: day)
        let text = "\(rate / 1_000_000_000).\((rate % 1_000_000_000).padded(9))"
        bytes.write(csv: ["\(CivilDate(day: day))", middle.currency, text])
      }
    }
    return bytes
  }

  /// Within a hundredth of the middle, in whole hundred-thousandths of it.
  private func ownRate(_ index: Int, day: Int64) -> Int64 {
    var draws = SeededGenerator(seed: seed, stream: .rate, index: UInt64(index) << 32 | UInt64(day))
    let middle = middles[index].billionths
    return middle + middle / 100_000 * draws.within(-1000...1000)
  }

  /// 1970-01-01 was a Thursday.
  private static func isWeekend(_ day: Int64) -> Bool { (day + 4) % 7 == 6 || (day + 4) % 7 == 0 }
}
