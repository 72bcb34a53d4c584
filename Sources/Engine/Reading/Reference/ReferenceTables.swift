import Domain
import Jobs

/// The tables a job may name beside assignments and logs: catalog, products, identities, exchange rates.
package struct ReferenceTables: Sendable {
  package private(set) var catalog = Catalog()
  package private(set) var products = Products()
  private(set) var rates: ExchangeRates
  /// Who is whose alias, as far as the table tells.
  let identityLinks = IdentityLinks()
  package private(set) var readings: [FileReading] = []

  /// - Throws: `OfferliftError`, as `TableFile.read`, and 78 where the reporting currency is none.
  package init(job: Job, in context: RunContext = RunContext()) throws {
    guard let reporting = Currency(Array(job.currency.utf8)) else {
      throw OfferliftError(
        .badJobFile, "\(job.file.lastPathComponent): currency \"\(job.currency)\" is not three letters.")
    }
    rates = ExchangeRates(reporting: reporting)
    if let input = job.catalog {
      let (catalog, readings) = try Catalog.read(input, job: job, in: context)
      self.catalog = catalog
      self.readings += readings
    }
    if let input = job.products {
      let (products, readings) = try Products.read(input, job: job, in: context)
      self.products = products
      self.readings += readings
    }
    if let input = job.identities {
      readings += try IdentityTable(input: input, job: job).read(into: identityLinks, in: context)
    }
    if let input = job.exchangeRates {
      let (rates, readings) = try ExchangeRates.read(input, job: job, reporting: reporting, in: context)
      self.rates = rates
      self.readings += readings
    }
  }

  /// Whether there is a rate for a currency's amounts of a day.
  package func hasRate(of currency: Currency, day: Int64) -> Bool { rates.nanos(currency, day: day) != nil }
}
