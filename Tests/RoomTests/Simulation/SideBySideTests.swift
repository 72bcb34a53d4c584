import Testing

@testable import Domain
@testable import Simulation

@Suite("Side by side")
struct SideBySideTests {
  @Test("gives results by index, whichever is done first")
  func order() throws {
    let results = try SideBySide.map(200) { index in
      (0..<(200 - index) * 50).reduce(index) { $0 ^ $1 ^ $1 }
    }
    #expect(results == Array(0..<200))
    #expect(try SideBySide.map(0) { $0 }.isEmpty)
  }

  @Test("throws the error of the smallest index")
  func errors() {
    let error = #expect(throws: OfferliftError.self) {
      try SideBySide.map(50) { index in
        if index % 7 == 3 { throw OfferliftError(.inputOutput, "\(index)") }
      }
    }
    #expect(error?.message == "3")
  }
}
