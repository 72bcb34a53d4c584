import Domain
import Testing

@Suite("Fields of events")
struct EventFieldTests {
  @Test("A field is found by its name", arguments: EventField.allCases)
  func name(field: EventField) {
    #expect(EventField.named(field.name) == field)
  }
}
