import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("A charge's own period")
struct ChargePeriodTests {
  @Test(
    "Is the store's period that ends within three days of the end the charge tells",
    arguments: [
      ("2026-03-02", "2026-03-09", "P1W"), ("2026-03-02", "2026-03-12", "P1W"), ("2026-03-02", "2026-03-05", ""),
      ("2026-03-02", "2026-03-06", "P1W"), ("2026-03-02", "2026-03-14", "P2W"), ("2026-03-02", "2026-04-02", "P1M"),
      ("2026-01-31", "2026-02-28", "P1M"), ("2026-02-01", "2026-02-25", ""), ("2026-02-01", "2026-02-26", "P1M"),
      ("2026-03-02", "2026-04-06", ""), ("2026-03-02", "2026-05-01", "P2M"), ("2026-03-02", "2026-06-05", "P3M"),
      ("2026-03-02", "2026-06-06", ""), ("2026-03-02", "2026-08-31", "P6M"), ("2026-03-02", "2027-03-05", "P1Y"),
      ("2026-03-02", "2027-03-06", ""), ("2024-02-29", "2025-02-28", "P1Y"), ("2026-03-02", "2026-03-02", ""),
      ("2026-03-02", "2026-03-01", ""),
    ])
  func reported(start: String, end: String, period: String) throws {
    let times = try [start, end].map { try Instant($0, timezone: .gmt).milliseconds }
    #expect(Period(from: times[0], to: times[1])?.iso8601 ?? "" == period)
  }

  @Test("Three days are three days to the millisecond")
  func edge() throws {
    let start = try Instant("2026-03-02", timezone: .gmt).milliseconds
    let week = start + 7 * Instant.millisecondsPerDay
    let three = 3 * Instant.millisecondsPerDay
    #expect(Period(from: start, to: week + three) == Period(days: 7))
    #expect(Period(from: start, to: week + three + 1) == nil)
    #expect(Period(from: start, to: week - three) == Period(days: 7))
    #expect(Period(from: start, to: week - three - 1) == nil)
  }

  @Test("Comes before its product's for monthly revenue and renewals")
  func beforeProduct() async throws {
    // A year's product, paid for a month.
    let month = charge("yearly", march(2), "purchase", ["transactionId": "1", "expiresDate": "2026-04-02T12:00:00Z"])
    let standing = try await StandingOfUser.of([month], at: "2026-03-20")
    #expect(standing.monthly == 1000 && standing.renewed == [0, 0])
    #expect(try await StandingOfUser.of([month], at: "2026-04-19").renewed == [0, 1])
    let again = charge("yearly", "2026-04-02T12:00:00Z", "renewal", ["transactionId": "2"])
    #expect(try await StandingOfUser.of([month, again], at: "2026-04-19").renewed == [1, 1])
    // A free renewal renews nothing.
    let free = charge("yearly", "2026-04-02T12:00:00Z", "renewal", ["transactionId": "2", "price": "0"])
    #expect(try await StandingOfUser.of([month, free], at: "2026-04-19").renewed == [0, 1])
    // An end that is no period's leaves it to the product.
    let odd = charge("monthly", march(2), "purchase", ["expiresDate": "2026-03-22T12:00:00Z"])
    #expect(try await StandingOfUser.of([odd], at: "2026-03-20").monthly == 1000)
    // And tells it where the product does not.
    let unknown = charge("odd", march(2), "purchase", ["expiresDate": "2026-03-09T12:00:00Z"])
    #expect(try await StandingOfUser.of([unknown], at: "2026-03-05").monthly == 4000)
  }
}
