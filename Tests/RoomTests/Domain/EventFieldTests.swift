import Domain
import Testing

@testable import Engine
@testable import Measurement

@Suite("Fields of events")
struct EventFieldTests {
  @Test("A field's place is its own, and is found by its name", arguments: EventField.allCases)
  func place(field: EventField) {
    #expect(field.place == field.rawValue)
    #expect(EventField.named(field.name) == field)
  }
}
