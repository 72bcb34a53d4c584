import Domain
import Statistics

/// A column of a figure's table: its heading, and how its cells are made of the records. The first one names the row.
struct FigureColumn<Record> {
  let heading: String
  /// The cells of all records, so that their numbers get equally many decimals.
  let cells: ([Record]) -> [FigureTable.Cell]
  /// A scale that stands in the place of the heading.
  var scale: String?

  init(heading: String, cells: @escaping ([Record]) -> [FigureTable.Cell]) {
    self.heading = heading
    self.cells = cells
  }

  init(heading: String, cell: @escaping (Record) -> FigureTable.Cell) {
    self.init(heading: heading, cells: { $0.map(cell) })
  }

  static func text(_ heading: String, _ text: @escaping (Record) -> String) -> Self {
    Self(heading: heading) { (record: Record) in .text(text(record)) }
  }

  static func group(_ heading: String = "group", _ group: @escaping (Record) -> StoryGroup) -> Self {
    Self(heading: heading) { (record: Record) in .group(group(record)) }
  }

  /// A number in words; empty where there is none, as in the rest.
  static func number(_ heading: String, _ words: @escaping (Record) -> String?) -> Self {
    Self(heading: heading) { (record: Record) in .number(words(record) ?? "") }
  }

  /// `6,700`.
  static func count(_ heading: String, _ count: @escaping (Record) -> Int?) -> Self {
    number(heading) { count($0).map { Phrase.count($0) } }
  }

  /// `12.3 %`.
  static func share(_ heading: String, _ share: @escaping (Record) -> Double?) -> Self {
    Self(heading: heading) { (records: [Record]) in
      let shares = records.map(share)
      let digits = Digits.shares(shares.compactMap(\.self))
      return shares.map { .number($0.map { "\(digits.text($0)) %" } ?? "") }
    }
  }

  /// `12.34 USD`.
  ///
  /// - Parameter digits: the decimals, where several columns share them.
  static func money(
    _ heading: String, digits shared: Digits? = nil, _ money: @escaping (Record) -> Money?
  ) -> Self {
    Self(heading: heading) { (records: [Record]) in
      let sums = records.map(money)
      let digits = shared ?? Digits.money(sums.compactMap { $0?.units })
      return sums.map { .number($0.map { "\(digits.text($0.units)) \($0.currency)" } ?? "") }
    }
  }

  /// Values, each in the unit of its metric: rows of one metric have equally many decimals.
  ///
  /// - Parameter among: the values whose decimals must fit; nil is the column's own.
  static func values(
    _ heading: String, _ metric: @escaping (Record) -> StoryMetric, _ value: @escaping (Record) -> Double?,
    among: ((Record) -> [Double?])? = nil
  ) -> Self {
    Self(heading: heading) { (records: [Record]) in
      let digits = Dictionary(grouping: records, by: metric).map { metric, records in
        (metric, metric.unit.digits(records.flatMap { among?($0) ?? [value($0)] }.compactMap(\.self)))
      }
      let byMetric = Dictionary(digits) { first, _ in first }
      return records.map { record in
        let metric = metric(record)
        guard let value = value(record), let digits = byMetric[metric] else { return .text("nothing yet") }
        return .number(digits.text(value) + metric.unit.suffix)
      }
    }
  }

  /// The same of shares, with what each is of in a second line: `2.93 %`, `233 of 7,952`.
  static func counted(
    _ heading: String, _ metric: @escaping (Record) -> StoryMetric, _ value: @escaping (Record) -> Double?,
    among: @escaping (Record) -> [Double?], of counts: @escaping (Record) -> String?
  ) -> Self {
    let plain = values(heading, metric, value, among: among)
    return Self(heading: heading) { (records: [Record]) in
      zip(records, plain.cells(records)).map { record, cell in
        guard case .number(let text) = cell, let count = counts(record) else { return cell }
        return .counted(text, of: count)
      }
    }
  }

  /// `+12.3 %`.
  static func lift(_ heading: String, _ lift: @escaping (Record) -> Double?) -> Self {
    Self(heading: heading) { (records: [Record]) in
      records.map { .lift(lift($0).map(StoryWords.signedLift) ?? "") }
    }
  }

  /// `0.013`, `< 0.0001`.
  static func pValue(_ heading: String, _ pValue: @escaping (Record) -> Double?) -> Self {
    number(heading) { pValue($0).map { String(Phrase.pValue($0).trimmingPrefix("p ").trimmingPrefix("= ")) } }
  }

  /// A bar as long as the number is among the records', with the number behind it.
  ///
  /// - Parameter longest: the number of the longest bar, where several columns share it.
  static func bar(
    _ heading: String, _ group: @escaping (Record) -> StoryGroup, _ value: @escaping (Record) -> Double?,
    longest: Double? = nil, text: @escaping (Record) -> String
  ) -> Self {
    Self(heading: heading) { (records: [Record]) in
      let longest = longest ?? records.compactMap(value).filter(\.isFinite).max() ?? 0
      return records.map { record in
        var svg = SVG()
        let length = longest > 0 ? 100 * (value(record) ?? 0) / longest : 0
        svg.bar(width: length, height: 12, class: "bar \(group(record).style)")
        return .bar(svg.element(title: text(record), class: "bars"), text: text(record))
      }
    }
  }

  /// A bar to the right of 0 for what is above it, to the left for what is below, with the number behind it.
  static func signedBar(
    _ heading: String, _ group: @escaping (Record) -> StoryGroup, _ value: @escaping (Record) -> Double?,
    text: @escaping (Record) -> String
  ) -> Self {
    Self(heading: heading) { (records: [Record]) in
      let values = records.compactMap(value).filter(\.isFinite)
      let (low, high) = (min(values.min() ?? 0, 0), max(values.max() ?? 0, 0))
      let span = high > low ? high - low : 1
      return records.map { record in
        let value = value(record) ?? 0
        var svg = SVG()
        let ends = [value, 0].sorted().map { 100 * ($0 - low) / span }
        svg.bar(from: ends[0], width: ends[1] - ends[0], height: 12, class: "bar \(group(record).style)")
        svg.line((100 * -low / span, 0), (100 * -low / span, 14), class: "zero")
        return .bar(svg.element(title: text(record), class: "bars"), text: text(record))
      }
    }
  }

  /// The lift and its interval on an axis that all records share.
  static func lifts(_ lift: @escaping (Record) -> Lift, _ axis: LiftAxis) -> Self {
    var column = Self(heading: "interval") { (record: Record) in
      let lift = lift(record)
      let mark = LiftMark(axis: axis, lift: lift.lift, interval: lift.interval, style: lift.outcome.style)
      let words = StoryWords.interval(lift.interval)
      return .drawing(mark.svg(title: words.isEmpty ? "no interval" : words), text: words)
    }
    column.scale = LiftMark.scale(axis)
    return column
  }
}
