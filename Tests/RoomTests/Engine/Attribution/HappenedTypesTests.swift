import Testing

@testable import Engine
@testable import Measurement

@Suite("Which types of events befell a user")
struct HappenedTypesTests {
  @Test("A type that was not told did not happen; one that was may have")
  func types() {
    var happened = HappenedTypes()
    #expect(!happened.mayHold(.paywallView) && !happened.mayHold(anyOf: .turns))
    happened.insert(.paywallView)
    #expect(happened.mayHold(.paywallView) && !happened.mayHold(.trialStart) && !happened.mayHold(anyOf: .turns))
    happened.insert(.extend)
    #expect(happened.mayHold(anyOf: .turns) && happened.mayHold(anyOf: .ends))
  }

  @Test("Of more types than there are bits none is denied that happened", arguments: [62, 63, 64, 500, 65535])
  func manyTypes(code: UInt16) {
    var happened = HappenedTypes()
    happened.insert(EventType(code: code))
    #expect(happened.mayHold(EventType(code: code)))
    #expect(happened.mayHold(EventType(code: 700)) == (code >= 63))
  }
}
