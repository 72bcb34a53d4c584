import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement

@Suite("New users a day")
struct ArrivalRateTests {
  /// By the number of the day since 1970-01-01.
  private func rate(
    _ users: [Int64: Int], from first: Double, to cutoff: Double, enrolment: Job.Enrolment? = nil
  ) -> ArrivalRate {
    var offering = HandMade.offering(HandMade.group("control", users: users.values.reduce(0, +)))
    offering.groups[0].tables.arrivals = users.map { ArrivalDay(day: $0.key, users: $0.value) }
    offering.measuredFrom = at(first)
    return ArrivalRate(offering, cutoff: at(cutoff), enrolment: enrolment)
  }

  private func at(_ day: Double) -> Instant { Instant(milliseconds: Int64(day * Double(Instant.millisecondsPerDay))) }

  @Test("are of whole days alone: neither of that on which users began to come, nor of that which the cut-off cuts")
  func whole() {
    #expect(rate([100: 40, 101: 100, 102: 120, 103: 5], from: 100.6, to: 103.1).usersPerDay == 110)
    #expect(rate([100: 40, 101: 100, 102: 120], from: 100, to: 103).usersPerDay == 260.0 / 3)
  }

  @Test("leave out days without anybody, and those before the last fourteen")
  func recent() {
    #expect(rate([80: 9000, 101: 100, 103: 50], from: 80.5, to: 104).usersPerDay == 75)
  }

  @Test("are not told where no day was whole, and 0 where nobody has joined for a week")
  func none() {
    #expect(rate([100: 40, 101: 10], from: 100.6, to: 101.5).usersPerDay == nil)
    #expect(rate([100: 40, 101: 10], from: 100.6, to: 120).usersPerDay == 0)
  }
}
