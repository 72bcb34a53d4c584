import Testing

@testable import Analysis
@testable import Domain
@testable import Publishing

/// The nights that were published before one.
struct EarlierNightsTests {
  @Test("Every night before one was a look, published once or twice, and none after it")
  func cutoffs() throws {
    let folder = try ScratchFolder()
    let nights = EarlierNights(root: folder.url, job: PublishedNight.job)
    #expect(try nights.cutoffs(before: "2026-03-31").isEmpty)
    let cutoffs = (0..<3).map {
      Instant(milliseconds: HandMade.asOf.milliseconds - (2 - $0) * Instant.millisecondsPerDay)
    }
    for asOf in cutoffs + [cutoffs[0]] { try PublishedNight.publish(PublishedNight.night(asOf: asOf), in: folder) }
    #expect(try nights.cutoffs(before: "2026-03-31") == Array(cutoffs.prefix(2)))
    #expect(try nights.cutoffs(before: "2026-03-29").isEmpty)
  }
}
