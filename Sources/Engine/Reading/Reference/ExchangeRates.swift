import Domain
import Jobs

/// What one unit of a currency was worth in the reporting currency, by day.
struct ExchangeRates: Sendable {
  let reporting: Currency
  /// By currency: days since 1970 with their rates, by day.
  private var rates: [Currency: [DayRate]] = [:]

  /// What a currency was worth on a day since 1970.
  private struct DayRate: BitwiseCopyable {
    var day: Int64
    var nanos: Int64
  }

  /// Rates are exact billionths.
  static let one: Int64 = 1_000_000_000
  /// How many days a rate stays good where a day has none.
  static let longestReach: Int64 = 7

  init(reporting: Currency) {
    self.reporting = reporting
  }

  /// The rate of a UTC day, else the latest earlier one at most seven days old.
  func nanos(_ currency: Currency, day: Int64) -> Int64? {
    if currency == reporting { return Self.one }
    guard let known = rates[currency] else { return nil }
    var low = 0
    var high = known.count
    while low < high {
      let middle = (low + high) / 2
      if known[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    guard low > 0, day - known[low - 1].day <= Self.longestReach else { return nil }
    return known[low - 1].nanos
  }

  /// - Throws: as `TableFile.read`; exit 65 where one day has two rates for a currency.
  static func read(
    _ input: TableInput, job: Job, reporting: Currency, in context: RunContext = RunContext()
  ) throws -> (ExchangeRates, [FileReading]) {
    var byDay: [Currency: [Int64: Int64]] = [:]
    let fields = [("date", true), ("currency", true), ("rate", true)]
    let readings = try SmallTable.read(input, fields: fields, job: job, in: context) { row in
      guard let date = row.values[0], let code = row.values[1], let text = row.values[2] else {
        return (.missingField, "date, currency or rate is missing")
      }
      guard let day = day(date, input.timeFormat) else {
        let form = input.timeFormat.map { "written as \($0.text)" } ?? "YYYY-MM-DD"
        return (.badTime, "date \"\(date)\" is not \(form); time_format: says how dates are written")
      }
      guard let currency = Currency(Array(code.utf8)) else {
        return (.badCurrency, "currency \"\(code)\" is not three letters")
      }
      guard let nanos = row.decimal(2, decimals: 9), nanos > 0 else {
        return (.malformed, "rate \"\(text)\" is not a number above 0 with at most nine decimals")
      }
      if let other = byDay[currency]?[day], other != nanos {
        throw row.contradiction("\(currency.text) is \(text) on \(date)")
      }
      byDay[currency, default: [:]][day] = nanos
      return nil
    }
    var result = ExchangeRates(reporting: reporting)
    result.rates = byDay.mapValues { $0.sorted { $0.key < $1.key }.map { DayRate(day: $0.key, nanos: $0.value) } }
    return (result, readings)
  }

  /// The day that a text names, as days since 1970.
  private static func day(_ text: String, _ format: TimeFormat?) -> Int64? {
    guard let format else { return TimeText.day(text) }
    let bytes = Array(text.utf8)
    return format.read(bytes.span)?.local.dividedRoundingDown(by: Instant.millisecondsPerDay)
  }
}

extension ExchangeRates {
  /// An event without a rate by what its log says it is worth in US dollars, where these are reported; nil where nothing is
  /// said. A refund takes that worth only where its own currency has no rate on the day of its charge.
  func reportedInDollars(_ event: PurchaseEvent) -> PurchaseEvent? {
    guard reporting == .dollar, let dollars = event.dollars else { return nil }
    guard event.type.isCharge else { return event }
    var reported = event
    reported.charged = event.amountMicros.map { ChargedPrice(micros: $0, currency: event.currency) }
    (reported.amountMicros, reported.currency) = (dollars, reporting)
    return reported
  }

  /// Whether the event may turn out to have no rate, so that its row would have to be shown.
  ///
  /// Of a charge that is known at once. A refund takes the rate that its own currency has on the day of its charge,
  /// which shows only later.
  @inline(__always)
  func mayLack(_ event: PurchaseEvent) -> Bool {
    guard event.currency.code != reporting.code else { return false }
    if event.type.isCharge { return nanos(event.currency, day: Instant(milliseconds: event.time).utcDay) == nil }
    return event.type == .refund && event.amountMicros != nil && !event.isShare && !event.isCompanion
      && event.currency != .none
  }
}
