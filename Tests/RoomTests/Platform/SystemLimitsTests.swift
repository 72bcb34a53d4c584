import Testing

@testable import Platform

@Suite("Limits of the system")
struct SystemLimitsTests {
  @Test("A limit that is too low is told with what to type; the least that works is not")
  func needs() throws {
    let files = try #require(SystemLimits.needs.first { $0.option == "n" })
    #expect(
      files.complaint(of: 63)
        == "only 63 open files are allowed here (ulimit -n), and 64 are the least that works. Allow more: ulimit -n 64")
    for need in SystemLimits.needs {
      #expect(need.complaint(of: need.least - 1) != nil)
      #expect(need.complaint(of: need.least) == nil)
      #expect(need.complaint(of: .max) == nil)
    }
    let least = SystemLimits.leastRoom + 4096
    #expect(SystemLimits.complaint(ofAddresses: least - 1, accepted: 4096)?.contains("ulimit -v") == true)
    #expect(SystemLimits.complaint(ofAddresses: least, accepted: 4096) == nil)
  }

  @Test("Here there is room to work")
  func here() throws {
    try SystemLimits.refuseTooLow()
    #expect(SystemLimits.canStart(40))
  }
}
