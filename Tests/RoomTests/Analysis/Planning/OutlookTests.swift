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

  private func sentence(
    needed: Int?, isAsked: Bool = true, lastDay: Int64 = 99, endsBefore: Bool = false, seen: Double? = 0.56
  ) -> String? {
    Outlook(
      lift: -0.1, usersNeeded: needed, enrolmentEndsBefore: endsBefore, detectableLift: seen, isAsked: isAsked
    ).sentence(joining(lastDay: lastDay))
  }

  @Test("What today's users can see, and what more takes only where the job asks for a size")
  func today() {
    #expect(
      sentence(needed: 617_234) == "With today's users it reliably sees 56 % or more; 10 % takes 617,000 users.")
    #expect(sentence(needed: 617_234, isAsked: false) == "With today's users it reliably sees 56 % or more.")
    #expect(sentence(needed: 900, seen: 0.08) == "With today's users it reliably sees 8 % or more.")
    #expect(
      sentence(needed: 9000, endsBefore: true)
        == "With today's users it reliably sees 56 % or more; enrolment ends before it sees 10 %.")
    #expect(sentence(needed: nil, seen: nil) == nil)
  }

  @Test("Where nobody joins any more nothing is promised for users who will not come")
  func over() {
    #expect(sentence(needed: 9000, lastDay: 92) == "Nobody joins any more: it can only see 56 % or more.")
  }
}
