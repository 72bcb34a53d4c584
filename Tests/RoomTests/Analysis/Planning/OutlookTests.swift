import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement

@Suite("Whether users still join, and what more of them would show")
struct OutlookTests {
  private let cutoff = Instant(milliseconds: 100 * Instant.millisecondsPerDay)

  private func joining(lastDay: Int64?) -> Joining {
    Joining(users: 6000, lastDay: lastDay.map { CivilDate(day: $0) }, cutoff: cutoff)
  }

  @Test("Users join until nobody has for seven whole days")
  func week() {
    #expect(!joining(lastDay: 99).isOver && !joining(lastDay: 93).isOver && !joining(lastDay: nil).isOver)
    #expect(joining(lastDay: 92).isOver)
    #expect(joining(lastDay: 92).ended == "Nobody has joined since 3 April 1970")
    #expect(joining(lastDay: 93).ended == nil)
  }

  private func sentence(nights: Int?, needed: Int?, lastDay: Int64 = 99, endsBefore: Bool = false) -> String? {
    Outlook(
      lift: -0.1, nightsMore: nights, usersNeeded: needed, enrolmentEndsBefore: endsBefore, detectableLift: 0.56
    ).sentence(joining(lastDay: lastDay))
  }

  @Test("Nights are named up to a year")
  func nights() {
    #expect(sentence(nights: 61, needed: 9000) == "61 more nights would show 10 %.")
    #expect(sentence(nights: 0, needed: 900) == "A difference of 10 % would have shown.")
    #expect(sentence(nights: 366, needed: 90_000) == "To show 10 % would take years; its users show only 56 % or more.")
    #expect(sentence(nights: nil, needed: nil) == nil)
    #expect(
      sentence(nights: nil, needed: 9000, endsBefore: true)
        == "Enrolment ends before enough users have come to show 10 %.")
  }

  @Test("Where nobody joins any more no nights are promised for users who will not come")
  func over() {
    let said = "Nobody joins any more, so this test will not show 10 %; its users show only 56 % or more."
    #expect(sentence(nights: 61, needed: 9000, lastDay: 92) == said)
    #expect(sentence(nights: nil, needed: nil, lastDay: 92) == said)
    // Windows of users who have joined still end.
    #expect(sentence(nights: 5, needed: 5500, lastDay: 92) == "5 more nights would show 10 %.")
  }
}
