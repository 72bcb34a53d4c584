import Testing

@testable import Engine

@Suite("Until when what is counted of a user holds")
struct ValidityTests {
  @Test("Until the first time that was asked about and lies ahead")
  func first() {
    let validity = Validity(cutoff: 100)
    for time in [90, 100] as [Int64] { validity.note(time) }
    #expect(validity.end == .max)
    for time in [170, 130, 150] as [Int64] { validity.note(time) }
    #expect(validity.end == 130)
    validity.begin()
    #expect(validity.end == .max)
  }

  @Test("What only a later cut-off lies behind holds until the one after")
  func behind() {
    let validity = Validity(cutoff: 100)
    validity.note(behind: 99)
    #expect(validity.end == .max)
    validity.note(behind: 100)
    #expect(validity.end == 101)
  }

  @Test("What came between the last night and the cut-off is counted anew by the next run")
  func between() {
    let validity = Validity(cutoff: 100, lastNight: 80)
    validity.note(90)
    #expect(validity.end == 101)
    validity.begin()
    validity.noteEveryNight(from: 70)
    #expect(validity.end == .max)
    validity.noteEveryNight(from: 100)
    #expect(validity.end == 101)
  }
}
